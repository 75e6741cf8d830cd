/** Runs a managed call as an HTTP request. Source: reference/intent-detection-and-safe-tools.md, its executor. */
import { backOffMs, retryAfterMs } from "../../lib/back-off.ts";
import { hostOf } from "../../lib/host.ts";
import type { HttpRun } from "../../policy/document/run-parts.ts";
import { fillHeaders, type SecretPort, type TokenPort } from "../credentials.ts";
import { guardedFetch, type ReachFault, type ReachParts } from "../reach/guarded-fetch.ts";
import { type ExecutionResult, failed, notStarted, succeeded, unknown } from "../run.ts";
import { cutText } from "../run-text.ts";
import type { PreparedCall } from "../tool-runner.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { type BuiltRequest, buildRequest } from "./build-request.ts";
import { type AnswerFault, readAnswer } from "./read-answer.ts";

interface HttpParts {
  readonly reach: ReachParts;
  readonly secrets: SecretPort;
  readonly tokens: TokenPort;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Resolves after `ms`, or at once when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** UTF-16 units of a refusal's body that the model gets: enough to correct its call. */
const MAX_REFUSAL = 2_000;
const TRANSIENT_STATUS = new Set([429, 502, 503, 504]);
/** Statuses of a proxy that had no answer from the tool in time, or no whole one: the tool may have done it. */
const UNHEARD = new Set([502, 504]);
/** May be sent twice (RFC 9110). */
const IDEMPOTENT = new Set(["GET", "PUT", "DELETE"]);

export async function runHttp(parts: HttpParts, call: PreparedCall, settings: HttpRun): Promise<ExecutionResult> {
  if (hostOf(settings.url) === undefined)
    return notStarted("host_forbidden", "the URL must begin with https:// and a host, and no template may stand in it");
  const built = buildRequest(settings, { arguments: call.arguments, system: call.system });
  if (!built.ok) return notStarted("arguments_unfit", built.error);
  const filled = await fillHeaders(settings, call, parts);
  if (!filled.ok) return filled.error;
  const { headers, secrets } = filled.value;
  addOwn(headers, call, settings, built.value);
  const result = await tryUntilDone(parts, call, settings, { ...built.value, headers });
  const content = withoutSecrets(result.content, [...secrets, ...tokensOf(call, settings)]);
  // Cut only now: the rest of a secret that was cut would not be masked.
  return { ...result, content: result.status === "succeeded" ? content : cutText(content, MAX_REFUSAL) };
}

function addOwn(headers: Headers, call: PreparedCall, { method }: HttpRun, { body }: BuiltRequest): void {
  const add = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  add("accept", "application/json, text/*;q=0.9");
  add("user-agent", "Toolgate");
  if (body) add("content-type", body.contentType);
  // The decision's id: the same with every attempt.
  if (method === "POST" || method === "PATCH") add("idempotency-key", call.id);
}

/** Tokens that the system filled in as arguments: the answer may repeat them. */
const tokensOf = (call: PreparedCall, { system }: HttpRun): readonly string[] =>
  Object.entries(system).flatMap(([name, value]) => (value === "connection.token" ? [String(call.system[name])] : []));

interface PreparedRequest extends BuiltRequest {
  readonly headers: Headers;
}

async function tryUntilDone(
  parts: HttpParts,
  call: PreparedCall,
  settings: HttpRun,
  request: PreparedRequest,
): Promise<ExecutionResult> {
  const retries = IDEMPOTENT.has(settings.method) ? settings.retries : 0;
  // A read ends when its client disconnects. A change may be done nevertheless, and its outcome must be known.
  const signal = settings.method === "GET" ? call.signal : undefined;
  let before: ExecutionResult | undefined;
  for (let attempts = 1; ; attempts++) {
    const attempt = await tryOnce(parts, call, settings, request, signal);
    const result = afterEarlier(before, { ...attempt.result, attempts });
    before = result;
    if (!attempt.isTransient || attempts > retries || signal?.aborted) return result;
    const waitMs = attempt.waitMs ?? backOffMs(attempts - 1, parts.random());
    if (parts.reach.now() + waitMs >= call.deadline) return result;
    await parts.wait(waitMs, signal);
    if (signal?.aborted) return result;
  }
}

/** A later attempt does not undo an earlier one that may have succeeded: it may fail because of that. */
function afterEarlier(before: ExecutionResult | undefined, result: ExecutionResult): ExecutionResult {
  if (result.status === "not_started") return before ?? { ...result, attempts: 0 };
  return before?.status === "unknown" && result.status === "failed" ? { ...result, status: "unknown" } : result;
}

interface Attempt {
  readonly result: ExecutionResult;
  /** Another attempt may fare better. */
  readonly isTransient: boolean;
  /** The server's `retry-after`. */
  readonly waitMs?: number | undefined;
}

async function tryOnce(
  { reach }: HttpParts,
  call: PreparedCall,
  settings: HttpRun,
  { url, body, headers }: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const { method, allowHosts, allowPrivate, maxResponseBytes } = settings;
  const rule = { allowHosts, allowPrivate, policyUrl: settings.url, maxResponseBytes, deadline: call.deadline, signal };
  const reached = await guardedFetch(reach, { url, method, headers, body: body?.text }, rule);
  if (!reached.ok) {
    const { failure, sent } = reached.error;
    return { result: ranOfFault(method, reached.error), isTransient: sent && failure === "unavailable" };
  }
  const response = reached.value;
  const { status } = response;
  if (status >= 200 && status < 300) {
    const answer = await readAnswer(response, settings.result);
    if (!answer.ok)
      return { result: ranOfAnswer(method, answer.error, status), isTransient: answer.error.failure === "unavailable" };
    return {
      result: succeeded(answer.value.text, { bytes: answer.value.bytes, httpStatus: status }),
      isTransient: false,
    };
  }
  const answer = await readAnswer(response);
  const details = answer.ok ? { content: answer.value.text, bytes: answer.value.bytes } : {};
  const ended = method !== "GET" && UNHEARD.has(status) ? unknown : failed;
  return {
    result: ended("tool_failed", `${hostOf(settings.url)} answered with status ${status}`, {
      ...details,
      httpStatus: status,
    }),
    isTransient: TRANSIENT_STATUS.has(status),
    waitMs: retryAfterMs(response.headers, reach.now()),
  };
}

/** Redirects that want the very same request elsewhere: here it was not done. After a 303 it was, after other redirects perhaps. */
const ELSEWHERE = new Set([307, 308]);

function ranOfFault(method: string, { failure, detail, sent, status }: ReachFault): ExecutionResult {
  if (!sent) return notStarted(failure, detail);
  const isUndone = method === "GET" || (status !== undefined && ELSEWHERE.has(status));
  return (isUndone ? failed : unknown)(failure, detail, { httpStatus: status || null });
}

/** The server answered that it was done: an unreadable answer does not undo it. */
function ranOfAnswer(method: string, { failure, detail, bytes }: AnswerFault, httpStatus: number): ExecutionResult {
  const details = { bytes, httpStatus };
  return method === "GET" ? failed(failure, detail, details) : unknown(failure, detail, details);
}
