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

/** Of the body of a refusal, in UTF-16 units: enough to tell the model what to do better. */
const MAX_REFUSAL = 2_000;
const PASSING = new Set([429, 502, 503, 504]);
/** What stands before the tool has not heard from it in time, or not to the end: it may have done it. */
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
  const ran = await tryUntilDone(parts, call, settings, { ...built.value, headers });
  const content = withoutSecrets(ran.content, [...secrets, ...tokensOf(call, settings)]);
  // Cut only now: of a secret that was cut the rest would be told.
  return { ...ran, content: ran.status === "succeeded" ? content : cutText(content, MAX_REFUSAL) };
}

function addOwn(headers: Headers, call: PreparedCall, { method }: HttpRun, { body }: BuiltRequest): void {
  const add = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  add("accept", "application/json, text/*;q=0.9");
  add("user-agent", "Toolgate");
  if (body) add("content-type", body.contentType);
  // The decision's: the same with every attempt, whoever makes it.
  if (method === "POST" || method === "PATCH") add("idempotency-key", call.id);
}

/** What the system filled in as an argument, and may come back with the answer. */
const tokensOf = (call: PreparedCall, { system }: HttpRun): readonly string[] =>
  Object.entries(system).flatMap(([name, value]) => (value === "connection.token" ? [String(call.system[name])] : []));

interface Prepared extends BuiltRequest {
  readonly headers: Headers;
}

async function tryUntilDone(
  parts: HttpParts,
  call: PreparedCall,
  settings: HttpRun,
  request: Prepared,
): Promise<ExecutionResult> {
  const retries = IDEMPOTENT.has(settings.method) ? settings.retries : 0;
  // Who reads waits for an answer; what changes something is done all the same, and must be known.
  const signal = settings.method === "GET" ? call.signal : undefined;
  let before: ExecutionResult | undefined;
  for (let attempts = 1; ; attempts++) {
    const attempt = await tryOnce(parts, call, settings, request, signal);
    const ran = afterEarlier(before, { ...attempt.ran, attempts });
    before = ran;
    if (!attempt.passing || attempts > retries || signal?.aborted) return ran;
    const waitMs = attempt.waitMs ?? backOffMs(attempts - 1, parts.random());
    if (parts.reach.now() + waitMs >= call.deadline) return ran;
    await parts.wait(waitMs, signal);
    if (signal?.aborted) return ran;
  }
}

/** What an earlier attempt may have done a later one does not undo: it was refused, or finds what it asks for done already. */
function afterEarlier(before: ExecutionResult | undefined, ran: ExecutionResult): ExecutionResult {
  if (ran.status === "not_started") return before ?? { ...ran, attempts: 0 };
  return before?.status === "unknown" && ran.status === "failed" ? { ...ran, status: "unknown" } : ran;
}

interface Attempt {
  readonly ran: ExecutionResult;
  /** Another attempt may fare better. */
  readonly passing: boolean;
  /** What the server asks for. */
  readonly waitMs?: number | undefined;
}

async function tryOnce(
  { reach }: HttpParts,
  call: PreparedCall,
  settings: HttpRun,
  { url, body, headers }: Prepared,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const { method, allowHosts, allowPrivate, maxResponseBytes } = settings;
  const rule = { allowHosts, allowPrivate, policyUrl: settings.url, maxResponseBytes, deadline: call.deadline, signal };
  const reached = await guardedFetch(reach, { url, method, headers, body: body?.text }, rule);
  if (!reached.ok) {
    const { failure, sent } = reached.error;
    return { ran: ranOfFault(method, reached.error), passing: sent && failure === "unavailable" };
  }
  const response = reached.value;
  const { status } = response;
  if (status >= 200 && status < 300) {
    const answer = await readAnswer(response, settings.result);
    if (!answer.ok)
      return { ran: ranOfAnswer(method, answer.error, status), passing: answer.error.failure === "unavailable" };
    return { ran: succeeded(answer.value.text, { bytes: answer.value.bytes, httpStatus: status }), passing: false };
  }
  const answer = await readAnswer(response);
  const told = answer.ok ? { content: answer.value.text, bytes: answer.value.bytes } : {};
  const ended = method !== "GET" && UNHEARD.has(status) ? unknown : failed;
  return {
    ran: ended("tool_failed", `${hostOf(settings.url)} answered with status ${status}`, {
      ...told,
      httpStatus: status,
    }),
    passing: PASSING.has(status),
    waitMs: retryAfterMs(response.headers, reach.now()),
  };
}

/** Redirects that ask for the very same request elsewhere: here it was not done. After a 303 it was, after others perhaps. */
const ELSEWHERE = new Set([307, 308]);

function ranOfFault(method: string, { failure, detail, sent, status }: ReachFault): ExecutionResult {
  if (!sent) return notStarted(failure, detail);
  const isUndone = method === "GET" || (status !== undefined && ELSEWHERE.has(status));
  return (isUndone ? failed : unknown)(failure, detail, { httpStatus: status || null });
}

/** It answered that it was done: what cannot be read of that does not undo it. */
function ranOfAnswer(method: string, { failure, detail, bytes }: AnswerFault, httpStatus: number): ExecutionResult {
  const told = { bytes, httpStatus };
  return method === "GET" ? failed(failure, detail, told) : unknown(failure, detail, told);
}
