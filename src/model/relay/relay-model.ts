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
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ModelCall, ModelPort, StepOutcome, StepRequest } from "../../ports/model-port.ts";
import { compatibleProvider } from "../sdk/compatible-sdk.ts";
import { offerMiddleware, wrapModel } from "../sdk/offer-middleware.ts";
import { orderFor, tryUpstreams, type Upstreams } from "../upstream/upstreams.ts";
import { attemptStep, type Step } from "./relay-attempt.ts";
import { outcomeOfJson, outcomeOfStream } from "./relay-outcome.ts";
import type { RelayReport } from "./relay-stream.ts";
import { refusalOf } from "./upstream-answer.ts";

/** Empty as soon as the step has ended. */
interface UnderWay {
  step: Step | undefined;
}

export function relayModel(upstreams: Upstreams): ModelPort {
  const steps = new AsyncLocalStorage<UnderWay>();
  const current = (): Step => {
    const step = steps.getStore()?.step;
    if (!step) throw new Error("the provider was called outside a step");
    return step;
  };
  const first = ({ order }: Step) => upstreams.targets[order[0] ?? 0];
  const settings = {
    name: "upstream",
    // Each attempt has its own upstream's URL and key.
    baseURL: upstreams.targets[0]?.baseUrl ?? "",
    fetch: (_input: unknown, init?: RequestInit) => answerStep(upstreams, current(), init ?? {}),
    transformRequestBody: (args: Record<string, unknown>) =>
      governBody(current().request, args, first(current())?.model),
  };
  let model: LanguageModelV4 | undefined;
  return {
    async step(request, words, onHead) {
      // Awaited by an isolate's first steps alone.
      model ??= (await compatibleProvider(settings)).chatModel("upstream");
      const upstream = model;
      const step: Step = { request, words, onHead, order: orderFor(upstreams, request.headers), headTold: false };
      const underWay: UnderWay = { step };
      try {
        return await steps.run(underWay, () => runStep(upstream, step));
      } finally {
        underWay.step = undefined;
      }
    },
  };
}

async function runStep(upstream: LanguageModelV4, step: Step): Promise<StepOutcome> {
  const { tools, headers, signal, stream } = step.request;
  const model = wrapModel(upstream, offerMiddleware(tools));
  // The prompt stays empty: the body is the client's own, put in by `transformRequestBody`.
  const options = { prompt: [], headers, abortSignal: signal };
  try {
    if (!stream) {
      const { content } = await model.doGenerate(options);
      return outcomeOfJson(step.body ?? {}, content.flatMap(toCall));
    }
    const { calls, failed } = await readCalls((await model.doStream(options)).stream);
    const report = await (step.report as Promise<RelayReport>);
    return signal.aborted ? { kind: "aborted" } : outcomeOfStream(report, calls, failed);
  } catch (error) {
    if (signal.aborted) return { kind: "aborted" };
    if (error instanceof WordsOnly) return error.outcome;
    return error instanceof Unanswered ? error.outcome : refusalOf(error);
  }
}

/** The provider's `fetch`: the first attempt that is answered, and of its answer what the SDK must read. */
async function answerStep(upstreams: Upstreams, step: Step, init: RequestInit): Promise<Response> {
  const { order, request } = step;
  const tried = await tryUpstreams(upstreams, order, request.signal, (target) =>
    attemptStep(upstreams, step, target, init),
  );
  if (tried.kind === "aborted") throw new Unanswered({ kind: "aborted" });
  if (tried.kind === "done") {
    if (tried.value instanceof Response) return tried.value;
    throw new WordsOnly(tried.value);
  }
  const { index, attempts } = tried.target;
  throw new Unanswered(
    tried.reply.kind === "refused" ? { ...tried.reply, upstream: index + 1, attempts } : tried.reply,
  );
}

/** Thrown inside the provider's `fetch`: no attempt was answered. */
class Unanswered extends Error {
  readonly outcome: StepOutcome;

  constructor(outcome: StepOutcome) {
    super("no upstream answered");
    this.outcome = outcome;
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
