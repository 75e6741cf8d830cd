/**
 * OpenAI-compatible upstreams through the AI SDK, with a tap: the provider gets a `fetch` of ours, which relays words
 * and hands it only decisions. What goes on the wire is the client's own body with what is governed replaced.
 *
 * One provider serves all requests of an isolate (making one costs 0.4 ms); what its callbacks need of the step that
 * they are called for comes through an `AsyncLocalStorage`.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import type { JsonObject } from "../wire/read-chunk.ts";
import type { ReplyWords } from "../wire/reply-words.ts";
import { governBody } from "./govern-body.ts";
import type { ModelCall, ModelPort, StepOutcome, StepRequest, UpstreamHead } from "./model-port.ts";
import { offerMiddleware } from "./offer-middleware.ts";
import { outcomeOfJson, outcomeOfStream } from "./relay-outcome.ts";
import { type RelayReport, relayStream } from "./relay-stream.ts";
import { readJsonBody, refusalOf, UpstreamRefusal } from "./upstream-answer.ts";

export interface UpstreamSettings {
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Sent in place of the client's `model`. */
  readonly model?: string;
  /** Injected so that tests stand in for the provider; `globalThis.fetch` otherwise. */
  readonly fetch: typeof fetch;
}

/** A step under way, and what its `fetch` learns of the answer while the SDK reads its share. */
interface Step {
  readonly request: StepRequest;
  readonly words: ReplyWords;
  readonly onHead: (head: UpstreamHead) => void;
  report?: Promise<RelayReport>;
  body?: JsonObject;
}

export function relayModel(upstream: UpstreamSettings): ModelPort {
  const steps = new AsyncLocalStorage<Step>();
  const current = (): Step => {
    const step = steps.getStore();
    if (!step) throw new Error("the provider was called outside a step");
    return step;
  };
  const provider = createOpenAICompatible({
    name: "upstream",
    baseURL: upstream.baseUrl,
    apiKey: upstream.apiKey,
    fetch: (input, init) => tappedFetch(upstream.fetch, current(), input, init),
    transformRequestBody: (args) => governBody(current().request, args, upstream.model),
  });
  const model = provider.chatModel(upstream.model ?? "upstream");
  return {
    step(request, words, onHead) {
      const step: Step = { request, words, onHead };
      return steps.run(step, () => runStep(model, step));
    },
  };
}

async function runStep(upstream: LanguageModelV4, step: Step): Promise<StepOutcome> {
  const { tools, headers, signal, stream } = step.request;
  const model = wrapLanguageModel({ model: upstream, middleware: offerMiddleware(tools) });
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
    if (error instanceof WordsOnly) return outcomeOfStream(error.report, [], false);
    return error instanceof UpstreamRefusal ? error.outcome : refusalOf(error);
  }
}

async function tappedFetch(
  upstreamFetch: typeof fetch,
  step: Step,
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
): Promise<Response> {
  // A redirect would carry the key to wherever it points.
  const response = await upstreamFetch(input, { ...withClientKey(init, step.request), redirect: "manual" });
  const head = { status: response.status, headers: response.headers };
  if (!step.request.stream) {
    const { body, forSdk } = await readJsonBody(response);
    step.body = body;
    step.onHead(head);
    return Response.json(forSdk);
  }
  const refusal = await UpstreamRefusal.ofStream(response);
  if (refusal) throw refusal;
  step.onHead(head);
  return tapStream(response.body as ReadableStream<Uint8Array>, step);
}

/** Set last, so that of the gateway's key and the client's exactly one goes out. */
function withClientKey(init: Parameters<typeof fetch>[1], { upstreamAuthorization }: StepRequest) {
  if (upstreamAuthorization === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set("authorization", upstreamAuthorization);
  return { ...init, headers };
}

/** Thrown inside the provider's `fetch`: the stream has ended, and held nothing for the SDK to assemble. */
class WordsOnly extends Error {
  readonly report: RelayReport;

  constructor(report: RelayReport) {
    super("the stream holds no calls");
    this.report = report;
  }
}

/**
 * Starts the relay. The SDK gets its share as a stream of its own, from the first fragment of a call on; most streams
 * have none, and setting up to read one costs as much as relaying forty words.
 */
function tapStream(body: ReadableStream<Uint8Array>, step: Step): Promise<Response> {
  const { words, request } = step;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const encoder = new TextEncoder();
  let share: ReadableStreamDefaultController<Uint8Array> | undefined;
  const feed = (events: string): void => {
    if (!share) {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          share = controller;
        },
      });
      resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }));
    }
    share?.enqueue(encoder.encode(events));
  };
  const relayed = relayStream(body, { words, envelope: request.envelope, adopt: request.adopt }, feed);
  step.report = relayed.then((report) => {
    // The SDK calls a stream without a finish reason a failure; `[DONE]` is an end all the same.
    if (share && report.done && report.finishReasons.length === 0) {
      feed('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n');
    }
    share?.close();
    reject(new WordsOnly(report));
    return report;
  });
  return promise;
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
