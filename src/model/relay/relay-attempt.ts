/**
 * One attempt at one upstream: asks it, under its time limits, and relays its answer. Until the first event nothing of
 * the answer has gone to the client, so an attempt that fails before it can be made again.
 */

import type { JsonObject } from "../../lib/json/json-value.ts";
import type { StepOutcome, StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import { parseBody } from "../../wire/chat-request.ts";
import type { ReplyWords } from "../../wire/reply-words.ts";
import { inToolForms } from "../history-tools.ts";
import { startUpstreamDeadline, type UpstreamDeadline } from "../upstream/time-limit.ts";
import { type Attempt, type AttemptTarget, headersFor, type Upstreams } from "../upstream/upstreams.ts";
import { outcomeOfJson, outcomeOfStream } from "./relay-outcome.ts";
import { type RelayReport, relayStream } from "./relay-stream.ts";
import { readJsonBody, refusalOf, timedOut, UpstreamRefusal } from "./upstream-answer.ts";

/** A step under way, and what its `fetch` learns of the answer while the SDK reads its share. */
export interface Step {
  readonly request: StepRequest;
  readonly words: ReplyWords;
  readonly onHead: (head: UpstreamHead) => void;
  /** The upstreams to ask, in order; the request's body was made for the first of them. */
  readonly order: readonly number[];
  headTold: boolean;
  report?: Promise<RelayReport>;
  body?: JsonObject;
}

/** What the SDK gets to read, or what a step came to whose answer held nothing for it. */
type SdkAnswer = Response | StepOutcome;

/** UTF-16 units of an upstream's number and the model, which a client names. */
const MAX_KEY = 200;

/** @param init the request that the SDK made for the first upstream of the step's order. */
export async function attemptStep(
  upstreams: Upstreams,
  step: Step,
  target: AttemptTarget,
  init: RequestInit,
): Promise<Attempt<SdkAnswer, StepOutcome>> {
  const once = (body: RequestInit["body"]) => attemptOnce(upstreams, step, target, { ...init, body });
  const { body, tools } = step.request;
  if (tools.length > 0 || typeof init.body !== "string") return once(init.body);
  const key = `${target.index + 1} ${upstreams.targets[target.index]?.model ?? body.model}`.slice(0, MAX_KEY);
  return inToolForms(upstreams, key, init.body, once);
}

async function attemptOnce(
  upstreams: Upstreams,
  step: Step,
  target: AttemptTarget,
  init: RequestInit,
): Promise<Attempt<SdkAnswer, StepOutcome>> {
  const { stream, signal } = step.request;
  const watch = startUpstreamDeadline(upstreams.limits, signal, stream);
  try {
    const response = await ask(upstreams, step, target, init, watch);
    const tellHead = () => {
      if (step.headTold) return;
      step.headTold = true;
      const { status, headers } = response;
      step.onHead({ status, headers, upstream: target.index + 1, attempts: target.attempts });
    };
    if (stream) return await streamed(response, step, watch, tellHead);
    watch.answered("idle");
    const { body: sent, forSdk, calls } = await readJsonBody(response, watch);
    const body = step.request.links?.guardBody(sent) ?? sent;
    step.body = body;
    tellHead();
    watch.stop();
    return { kind: "done", value: calls ? Response.json(forSdk) : outcomeOfJson(body, []) };
  } catch (error) {
    watch.stop();
    return failedWith(error, watch);
  }
}

async function ask(
  upstreams: Upstreams,
  { request, order, words }: Step,
  { index }: AttemptTarget,
  init: RequestInit,
  watch: UpstreamDeadline,
): Promise<Response> {
  const target = upstreams.targets[index];
  const madeFor = upstreams.targets[order[0] ?? 0];
  if (!target) throw new Error("there is no such upstream");
  const asking = upstreams.fetch(`${target.baseUrl}/chat/completions`, {
    ...init,
    headers: headersFor(upstreams, index, init.headers as Record<string, string>),
    body: target === madeFor ? init.body : bodyFor(target.model ?? request.body.model, init.body as string),
    signal: watch.signal,
    // A redirect would carry the key to wherever it points.
    redirect: "manual",
  });
  words.prepare?.();
  // An answer that comes too late is not left open.
  watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
  return watch.race(asking);
}

/** The same body for another upstream, which has a name of its own for the model. */
function bodyFor(model: unknown, made: string): string {
  const body = parseBody(made);
  return body.ok && body.value.model !== model ? JSON.stringify({ ...body.value, model }) : made;
}

async function streamed(
  response: Response,
  step: Step,
  watch: UpstreamDeadline,
  tellHead: () => void,
): Promise<Attempt<SdkAnswer, StepOutcome>> {
  watch.answered(response.ok ? "first_byte" : "idle");
  const refusal = await UpstreamRefusal.ofStream(response, watch);
  if (refusal) throw refusal;
  // It is answered with its headers all the same: a model may think for minutes, and what stands between client and gateway
  // cuts off a connection that is silent for so long.
  watch.ifSlow(tellHead);
  const answer = await tapStream(response.body as ReadableStream<Uint8Array>, step, watch, tellHead);
  if (answer instanceof Response) return { kind: "done", value: answer };
  if (answer.begun || !answer.fault) return { kind: "done", value: outcomeOfStream(answer, [], false) };
  return failedWith(new Error(answer.fault.detail), watch);
}

function failedWith(error: unknown, { expired }: UpstreamDeadline): Attempt<SdkAnswer, StepOutcome> {
  if (expired) return { kind: "failed", failure: { kind: "timeout" }, reply: timedOut(expired) };
  if (error instanceof UpstreamRefusal) return { kind: "failed", failure: error.failure, reply: error.outcome };
  return { kind: "failed", failure: { kind: "unreachable" }, reply: refusalOf(error) };
}

/**
 * Starts the relay. The SDK gets its share as a stream of its own, from the first fragment of a call on; most streams
 * have none, and setting up to read one costs as much as relaying forty words.
 */
function tapStream(
  body: ReadableStream<Uint8Array>,
  step: Step,
  watch: UpstreamDeadline,
  onBegun: () => void,
): Promise<Response | RelayReport> {
  const { words, request } = step;
  const { promise, resolve } = Promise.withResolvers<Response | RelayReport>();
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
  const { envelope, adopt, links } = request;
  const relayed = relayStream(body, { words, envelope, adopt, watch, links, onBegun }, feed);
  step.report = relayed.then((report) => {
    watch.stop();
    // The SDK calls a stream without a finish reason a failure; `[DONE]` is an end all the same.
    if (share && report.done && report.finishReasons.length === 0) {
      feed('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n');
    }
    share?.close();
    resolve(report);
    return report;
  });
  return promise;
}
