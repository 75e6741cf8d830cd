/**
 * One attempt at one upstream: asks it, under its time limits, and relays its answer. Until the first event nothing of
 * the answer has gone to the client, so an attempt that fails before it can be made again.
 */

import type { JsonObject } from "../../lib/json/json-value.ts";
import type { StepOutcome } from "../../ports/model-port.ts";
import { inToolForms } from "../history-tools.ts";
import { onceConfirmed, type StepUnderWay } from "../upstream/step-attempt.ts";
import { startUpstreamDeadline, type UpstreamDeadline } from "../upstream/time-limit.ts";
import {
  type Attempt,
  type AttemptTarget,
  headersFor,
  labelAt,
  modelSentTo,
  type Upstreams,
} from "../upstream/upstreams.ts";
import { outcomeOfJson, outcomeOfStream } from "./relay-outcome.ts";
import { type RelayReport, relayStream } from "./relay-stream.ts";
import { readJsonBody, refusalOf, timedOut, UpstreamRefusal } from "./upstream-answer.ts";

/** An attempt under way, and what its `fetch` learns of the answer while the SDK reads its share. */
export interface RelayAttempt extends StepUnderWay {
  readonly target: AttemptTarget;
  report?: Promise<RelayReport>;
  body?: JsonObject;
}

/** What the SDK gets to read, or what a step came to whose answer held nothing for it. */
type SdkAnswer = Response | StepOutcome;

/** UTF-16 units of an upstream's number and the model, which a client names. */
const MAX_KEY = 200;

/** @param init the request that the SDK made. */
export async function askUpstream(
  upstreams: Upstreams,
  step: RelayAttempt,
  init: RequestInit,
): Promise<Attempt<SdkAnswer, StepOutcome>> {
  const once = (body: RequestInit["body"]) => attemptOnce(upstreams, step, { ...init, body });
  const { request, target } = step;
  if (request.tools.length > 0 || typeof init.body !== "string") return once(init.body);
  const model = modelSentTo(upstreams, target) ?? request.body.model;
  return inToolForms(upstreams, `${labelAt(upstreams, target.index)} ${model}`.slice(0, MAX_KEY), init.body, once);
}

async function attemptOnce(
  upstreams: Upstreams,
  step: RelayAttempt,
  init: RequestInit,
): Promise<Attempt<SdkAnswer, StepOutcome>> {
  const { target } = step;
  const { stream, signal } = step.request;
  const watch = startUpstreamDeadline(upstreams.limits, signal, stream);
  try {
    const response = await ask(upstreams, step, init, watch);
    const { status, headers } = response;
    const upstream = labelAt(upstreams, target.index);
    const tellHead = () => step.tellHead({ status, headers, upstream, attempts: target.attempts });
    if (stream) return await streamed(response, step, watch, tellHead);
    watch.answered("idle");
    const { body: sent, forSdk, calls } = await readJsonBody(response, watch);
    const body = step.request.links?.filterBody(sent) ?? sent;
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
  { request, words, target: { index } }: RelayAttempt,
  init: RequestInit,
  watch: UpstreamDeadline,
): Promise<Response> {
  const target = upstreams.targets[index];
  if (!target) throw new Error("there is no such upstream");
  const asking = upstreams.fetch(`${target.baseUrl}/chat/completions`, {
    ...init,
    headers: headersFor(upstreams, index, init.headers as Record<string, string>),
    signal: watch.signal,
    // A redirect would carry the key to wherever it points.
    redirect: "manual",
  });
  words.prepare?.();
  // An answer that comes too late is not left open.
  watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
  return watch.race(onceConfirmed(asking, request));
}

async function streamed(
  response: Response,
  step: RelayAttempt,
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

export function failedWith(error: unknown, { expired }: UpstreamDeadline): Attempt<never, StepOutcome> {
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
  step: RelayAttempt,
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
