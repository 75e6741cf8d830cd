/**
 * OpenAI-compatible upstreams through the AI SDK, with a tap: the provider gets a `fetch` of ours, which relays words
 * and hands it only decisions. What goes on the wire is the client's own body with what is governed replaced.
 *
 * One provider serves all requests of an isolate (making one costs 0.4 ms); what its callbacks need of the step that
 * they are called for comes through an `AsyncLocalStorage`, and is taken out of it when the step has ended: workerd keeps
 * the async context in which a `Response` was made with it, and its collector does not look through contexts. A context
 * that still held the step, and with it the reply, kept each streamed request in memory for good, some 70 KB of it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ModelCall, StepOutcome, StepRequest } from "../../ports/model-port.ts";
import { compatibleProvider } from "../sdk/compatible-sdk.ts";
import { offerMiddleware, wrapModel } from "../sdk/offer-middleware.ts";
import type { AttemptStep, StepAttempt } from "../upstream/step-attempt.ts";
import { modelSentTo, type Upstreams } from "../upstream/upstreams.ts";
import { askUpstream, type RelayAttempt } from "./relay-attempt.ts";
import { outcomeOfJson, outcomeOfStream } from "./relay-outcome.ts";
import type { RelayReport } from "./relay-stream.ts";
import { refusalOf } from "./upstream-answer.ts";

/** Empty as soon as the attempt has ended. */
interface UnderWay {
  attempt: RelayAttempt | undefined;
}

export function relayAttempts(upstreams: Upstreams): AttemptStep {
  const attempts = new AsyncLocalStorage<UnderWay>();
  const current = (): RelayAttempt => {
    const attempt = attempts.getStore()?.attempt;
    if (!attempt) throw new Error("the provider was called outside a step");
    return attempt;
  };
  const settings = {
    name: "upstream",
    // Each attempt has its own upstream's URL and key.
    baseURL: upstreams.targets[0]?.baseUrl ?? "",
    fetch: (_input: unknown, init?: RequestInit) => answerAttempt(upstreams, current(), init ?? {}),
    transformRequestBody: (args: Record<string, unknown>) => {
      const { request, target } = current();
      return governBody(request, args, modelSentTo(upstreams, target));
    },
  };
  let model: LanguageModelV4 | undefined;
  return async (step, target) => {
    // Awaited by an isolate's first steps alone.
    model ??= (await compatibleProvider(settings)).chatModel("upstream");
    const upstream = model;
    const attempt: RelayAttempt = { ...step, target };
    const underWay: UnderWay = { attempt };
    try {
      return await attempts.run(underWay, () => runAttempt(upstream, attempt));
    } finally {
      underWay.attempt = undefined;
    }
  };
}

async function runAttempt(upstream: LanguageModelV4, attempt: RelayAttempt): Promise<StepAttempt> {
  const { tools, headers, signal, stream } = attempt.request;
  const model = wrapModel(upstream, offerMiddleware(tools));
  // The prompt stays empty: the body is the client's own, put in by `transformRequestBody`.
  const options = { prompt: [], headers, abortSignal: signal };
  const done = (value: StepOutcome): StepAttempt => ({ kind: "done", value: signal.aborted ? ABORTED : value });
  try {
    if (!stream) {
      const { content } = await model.doGenerate(options);
      return done(outcomeOfJson(attempt.body ?? {}, withOwnIds(content.flatMap(toCall))));
    }
    const { calls, failed } = await readCalls((await model.doStream(options)).stream);
    const report = await (attempt.report as Promise<RelayReport>);
    return done(outcomeOfStream(report, calls, failed));
  } catch (error) {
    if (error instanceof Unanswered) return error.attempt;
    return done(error instanceof WordsOnly ? error.outcome : refusalOf(error));
  }
}

const ABORTED: StepOutcome = { kind: "aborted" };

/** The provider's `fetch`: of the upstream's answer what the SDK must read. */
async function answerAttempt(upstreams: Upstreams, attempt: RelayAttempt, init: RequestInit): Promise<Response> {
  const answer = await askUpstream(upstreams, attempt, init);
  if (answer.kind === "failed") throw new Unanswered(answer);
  if (answer.value instanceof Response) return answer.value;
  throw new WordsOnly(answer.value);
}

/** Thrown inside the provider's `fetch`: the attempt was not answered. */
class Unanswered extends Error {
  readonly attempt: StepAttempt;

  constructor(attempt: StepAttempt) {
    super("the upstream did not answer");
    this.attempt = attempt;
  }
}

/**
 * Thrown inside the provider's `fetch`: the answer has ended, and held nothing for the SDK to assemble. No error: nearly every
 * turn ends so, and would wait for a stack to be written down.
 */
class WordsOnly {
  readonly outcome: StepOutcome;

  constructor(outcome: StepOutcome) {
    this.outcome = outcome;
  }
}

/** The calls that the SDK assembled, and whether it met anything that it could not read. */
async function readCalls(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<{ calls: ModelCall[]; failed: boolean }> {
  const calls: ModelCall[] = [];
  let failed = false;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.type === "error") failed = true;
      calls.push(...toCall(value));
    }
  } catch {
    // The SDK gives up on calls without a name.
    failed = true;
  }
  return { calls, failed };
}

/** Some providers give all calls of an answer one id. In a stream the SDK does the same. */
function withOwnIds(calls: readonly ModelCall[]): readonly ModelCall[] {
  const seen = new Set<string>();
  return calls.map((call) => {
    const id = seen.has(call.id) ? newId("call", Date.now()) : call.id;
    seen.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

function toCall(part: { readonly type: string }): ModelCall[] {
  if (part.type !== "tool-call") return [];
  const { toolCallId, toolName, input } = part as Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;
  return [{ id: toolCallId, name: toolName, arguments: input, extra: undefined }];
}

/**
 * @param args the body that the SDK would send; its tools are what the offer middleware let through.
 * @param model sent in target of the client's, where the gateway's settings say so.
 */
function governBody(request: StepRequest, args: Record<string, unknown>, model: string | undefined): JsonObject {
  const body: JsonObject = { ...request.body, messages: request.messages };
  if (model !== undefined) body.model = model;
  const wires = new Map(request.tools.map((tool) => [tool.name, tool.wire]));
  const tools = namesOf(args.tools).flatMap((name) => (wires.has(name) ? [wires.get(name)] : []));
  if (tools.length > 0) {
    body.tools = tools;
    if (request.toolChoice === undefined) delete body.tool_choice;
    else body.tool_choice = request.toolChoice;
  } else {
    // Providers refuse settings of tools where there are none.
    delete body.tools;
    delete body.tool_choice;
    delete body.parallel_tool_calls;
  }
  return body;
}

function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: { function: { name: string } }) => tool.function.name);
}
