/**
 * One attempt at an OpenAI-compatible upstream: sends the request, under its time limits, and relays the answer. Until the first event
 * nothing of the answer has gone to the client, so an attempt that fails before it can be repeated.
 */

import type { JsonObject } from "../../lib/json/json-value.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import { inToolForms } from "../history-tools.ts";
import { type AttemptStep, onceConfirmed, type StepAttempt, type StepUnderWay } from "../upstream/step-attempt.ts";
import { startUpstreamDeadline, type UpstreamDeadline } from "../upstream/time-limit.ts";
import { type AttemptTarget, headersFor, labelAt, modelSentTo, type Upstreams } from "../upstream/upstreams.ts";
import { loadAssembly } from "./call-assembly.ts";
import { outcomeOfJson, outcomeOfStream } from "./relay-outcome.ts";
import { relayStream } from "./relay-stream.ts";
import { readJsonBody, refusalOf, timedOut, UpstreamRefusal } from "./upstream-answer.ts";

interface RelayAttempt extends StepUnderWay {
  readonly target: AttemptTarget;
}

/** UTF-16 units of an upstream's number and the model, which a client names. */
const MAX_KEY = 200;

export function relayAttempts(upstreams: Upstreams): AttemptStep {
  return async (step, target) => {
    const attempt = await askInForm(upstreams, { ...step, target });
    const left = step.request.signal.aborted && attempt.kind === "done";
    return left ? { kind: "done", value: { kind: "aborted" } } : attempt;
  };
}

async function askInForm(upstreams: Upstreams, step: RelayAttempt): Promise<StepAttempt> {
  const { request, target } = step;
  const model = modelSentTo(upstreams, target);
  const body = JSON.stringify(governBody(request, model));
  const once = (text: string) => attemptOnce(upstreams, step, text);
  if (request.tools.length > 0) return once(body);
  const key = `${labelAt(upstreams, target.index)} ${model ?? request.body.model}`.slice(0, MAX_KEY);
  return inToolForms(upstreams, key, body, once);
}

/**
 * The client's own body, with the governed members replaced: it has exactly the offer's tools, as they were defined.
 * @param model sent in place of the client's, if the gateway's settings say so.
 */
function governBody({ body: own, messages, tools, toolChoice }: StepRequest, model: string | undefined): JsonObject {
  const body: JsonObject = { ...own, messages };
  if (model !== undefined) body.model = model;
  if (tools.length > 0) {
    body.tools = tools.map(({ wire }) => wire);
    if (toolChoice === undefined) delete body.tool_choice;
    else body.tool_choice = toolChoice;
  } else {
    // Providers refuse settings for tools if there are none.
    delete body.tools;
    delete body.tool_choice;
    delete body.parallel_tool_calls;
  }
  return body;
}

async function attemptOnce(upstreams: Upstreams, step: RelayAttempt, body: string): Promise<StepAttempt> {
  const { target } = step;
  const { stream, signal } = step.request;
  const watch = startUpstreamDeadline(upstreams.limits, signal, stream);
  try {
    const response = await ask(upstreams, step, body, watch);
    const { status, headers } = response;
    const upstream = labelAt(upstreams, target.index);
    const tellHead = () => step.tellHead({ status, headers, upstream, attempts: target.attempts });
    if (stream) return await streamed(response, step, watch, tellHead);
    watch.answered("idle");
    const { body: sent, calls } = await readJsonBody(response, watch);
    tellHead();
    return { kind: "done", value: outcomeOfJson(step.request.links?.filterBody(sent) ?? sent, calls) };
  } catch (error) {
    return failedWith(error, watch);
  } finally {
    watch.stop();
  }
}

async function ask(
  upstreams: Upstreams,
  { request, words, target: { index } }: RelayAttempt,
  body: string,
  watch: UpstreamDeadline,
): Promise<Response> {
  const target = upstreams.targets[index];
  if (!target) throw new Error("there is no such upstream");
  const asking = upstreams.fetch(`${target.baseUrl}/chat/completions`, {
    method: "POST",
    // Some servers refuse a request without a user agent.
    headers: headersFor(upstreams, index, {
      "user-agent": "Toolgate",
      ...request.headers,
      "content-type": "application/json",
    }),
    body,
    signal: watch.signal,
    // A redirect would carry the key to wherever it points.
    redirect: "manual",
  });
  words.prepare?.();
  // Loaded while the upstream is waited for.
  const assembly = request.stream ? loadAssembly() : undefined;
  // A late answer is cancelled.
  watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
  const response = await watch.race(onceConfirmed(asking, request));
  await assembly;
  return response;
}

async function streamed(
  response: Response,
  { request, words }: RelayAttempt,
  watch: UpstreamDeadline,
  tellHead: () => void,
): Promise<StepAttempt> {
  watch.answered(response.ok ? "first_byte" : "idle");
  const refusal = await UpstreamRefusal.ofStream(response, watch);
  if (refusal) throw refusal;
  // A slow answer begins with its headers alone: a model may think for minutes, and proxies between client and gateway cut off a connection
  // that is silent for so long.
  watch.ifSlow(tellHead);
  const { envelope, adopt, links } = request;
  const body = response.body as ReadableStream<Uint8Array>;
  const report = await relayStream(body, { words, envelope, adopt, watch, links, onBegun: tellHead });
  if (report.begun || !report.fault) return { kind: "done", value: outcomeOfStream(report) };
  return failedWith(new Error(report.fault.detail), watch);
}

export function failedWith(error: unknown, { expired }: UpstreamDeadline): StepAttempt {
  if (expired) return { kind: "failed", failure: { kind: "timeout" }, reply: timedOut(expired) };
  if (error instanceof UpstreamRefusal) return { kind: "failed", failure: error.failure, reply: error.outcome };
  return { kind: "failed", failure: { kind: "unreachable" }, reply: refusalOf(error) };
}
