/** What an upstream answered when it was not what was asked for, told in OpenAI's error shape. */
import { findCallKey, isObject, type JsonObject } from "../wire/read-chunk.ts";
import { bodyReader } from "./body-reader.ts";
import type { StepOutcome } from "./model-port.ts";
import { isTwofold, MAX_ARGUMENT_UNITS, MAX_ID_UNITS, MAX_NAME_UNITS } from "./relay-stream.ts";
import type { Failure } from "./retry.ts";
import type { UpstreamTimeout, Watch } from "./time-limit.ts";

export type Refused = Extract<StepOutcome, { kind: "refused" }>;

/** UTF-16 units of a JSON answer: an isolate holds it some five times, as it came, read, and written for the client. */
const MAX_BODY = 8 * 1024 * 1024;
/** Likewise of an answer that is an error, or should have been a stream. */
const MAX_ERROR = 1024 * 1024;

/** Thrown inside the provider's `fetch`, so that the SDK hands it through to the step. */
export class UpstreamRefusal extends Error {
  readonly outcome: StepOutcome;
  /** What it says about asking again. */
  readonly failure: Failure;

  /** @param response whose status and headers tell whether to ask again; without one there was no whole answer. */
  constructor(outcome: StepOutcome, response?: Response) {
    super(outcome.kind === "refused" ? outcome.body : outcome.kind);
    this.outcome = outcome;
    this.failure = response
      ? { kind: "answered", status: response.status, headers: response.headers }
      : { kind: "unreachable" };
  }

  /** Undefined if the answer is an event stream. */
  static async ofStream(response: Response, watch: Watch): Promise<UpstreamRefusal | undefined> {
    if (!response.ok) return new UpstreamRefusal(await refusedWith(response, watch), response);
    const type = mediaType(response);
    if (response.body && !/json|html/.test(type)) return undefined;
    const text = await readText(response, MAX_ERROR, watch);
    if (isErrorBody(text)) return new UpstreamRefusal(refused(502, response, text), response);
    const what = type === "" ? "an empty body" : `\`${type}\``;
    const detail = `the upstream answered a streaming request with ${what} instead of an event stream`;
    return new UpstreamRefusal(refused(502, response, errorBody(detail, "upstream_not_streaming")), response);
  }
}

/** A time-out before anything was sent to the client. */
export function timedOut({ told }: UpstreamTimeout): Refused {
  return refused(504, undefined, JSON.stringify({ error: told }));
}

/** A connection that could not be made, or a failure that nobody foresaw: both are the upstream's to the client. */
export function refusalOf(error: unknown): Refused {
  const cause = error instanceof Error ? error.message : String(error);
  return refused(
    502,
    undefined,
    errorBody(`the upstream could not be reached or read: ${cause}`, "upstream_unreachable"),
  );
}

/** A request that this model cannot take. @param param where in the body. */
export function refusedRequest(message: string, param: string): Refused {
  const body = JSON.stringify({
    error: { message, type: "invalid_request_error", code: "unsupported_content", param },
  });
  return { kind: "refused", status: 400, headers: undefined, body };
}

interface JsonAnswer {
  readonly body: JsonObject;
  /** The share that the SDK reads: calls, no words. */
  readonly forSdk: JsonObject;
  /** Whether there are any calls in it. */
  readonly calls: boolean;
}

/** A whole JSON answer, the body as it came. */
export async function readJsonBody(response: Response, watch: Watch): Promise<JsonAnswer> {
  if (!response.ok) throw new UpstreamRefusal(await refusedWith(response, watch), response);
  const text = await readText(response, MAX_BODY, watch);
  if (text.length >= MAX_BODY) {
    const detail = `the upstream's answer is longer than ${MAX_BODY} characters: ask for less, or for a stream`;
    throw new UpstreamRefusal(refused(502, response, errorBody(detail, "upstream_answer_too_large")), response);
  }
  const body = parseObject(text);
  if (!body) {
    const detail = `the upstream answered 200 with ${describeBody(text, mediaType(response))} instead of a JSON object`;
    const outcome = refused(502, response, errorBody(detail, "upstream_invalid_json"));
    // Nothing at all is an answer that got lost.
    throw new UpstreamRefusal(outcome, text.trim() === "" ? undefined : response);
  }
  if (body.error != null)
    throw new UpstreamRefusal(refused(502, response, JSON.stringify({ error: body.error })), response);
  const choices = Array.isArray(body.choices) ? body.choices.filter(isObject) : [];
  if (choices.length === 0) {
    const told = errorBody("the upstream's answer has no `choices`", "upstream_no_choices");
    throw new UpstreamRefusal(refused(502, response, told), response);
  }
  const forSdk = { id: null, choices: choices.slice(0, 1).map(sdkChoice), usage: null };
  const disorder = findDisorder(body);
  if (disorder) {
    const begun = choices.flatMap(namesIn);
    throw new UpstreamRefusal({ kind: "disorderly", detail: disorder, error: undefined, begun }, response);
  }
  return { body, forSdk, calls: hasCalls(choices[0]) };
}

const hasCalls = (choice: JsonObject | undefined): boolean =>
  isObject(choice?.message) && Array.isArray(choice.message.tool_calls) && choice.message.tool_calls.length > 0;

function sdkChoice(choice: JsonObject): JsonObject {
  const message = isObject(choice.message) ? choice.message : {};
  return {
    message: { tool_calls: Array.isArray(message.tool_calls) ? message.tool_calls : null },
    finish_reason: typeof choice.finish_reason === "string" ? choice.finish_reason : null,
  };
}

/** The calls that a choice names, whatever else is wrong with them: the record tells of them. */
function namesIn({ message }: JsonObject): string[] {
  const calls = isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.flatMap((call: unknown) => {
    const name = isObject(call) && isObject(call.function) ? call.function.name : undefined;
    return typeof name === "string" ? [name] : [];
  });
}

/** Calls where we do not look for them, but a client might. */
function findDisorder({ choices, usage: _usage, ...envelope }: JsonObject): string | undefined {
  const outside = findCallKey(envelope);
  if (outside) return `calls under the key \`${outside}\` are not understood`;
  for (const [index, choice] of (choices as readonly unknown[]).entries()) {
    if (!isObject(choice)) return "a choice is not an object";
    const { message, ...rest } = choice;
    const { tool_calls: calls, ...words } = isObject(message) ? message : { message };
    const hidden = findCallKey(rest) ?? findCallKey(words);
    if (hidden) return `calls under the key \`${hidden}\` are not understood`;
    if (calls != null && !Array.isArray(calls)) return "`tool_calls` is not a list";
    if (!Array.isArray(calls) || calls.length === 0) continue;
    if (index > 0) return "tool calls in a choice other than the first are not supported";
    if (JSON.stringify(calls).length > 2 * MAX_ARGUMENT_UNITS) return "the arguments of the step's calls are too large";
    if (calls.some((call) => isObject(call) && typeof call.id === "string" && call.id.length > MAX_ID_UNITS))
      return "the id of a tool call is too long";
    if (!calls.every((call) => isObject(call) && isObject(call.function) && !isTwofold(call)))
      return "a tool call is not a function call, or not only one";
    if (namesIn(choice).some((name) => name.length > MAX_NAME_UNITS)) return "the name of a tool call is too long";
  }
  return undefined;
}

async function refusedWith(response: Response, watch: Watch): Promise<Refused> {
  const status = response.status >= 400 ? response.status : 502;
  const text = await readText(response, MAX_ERROR, watch);
  if (isErrorBody(text)) return refused(status, response, text);
  const type = mediaType(response);
  if (response.status < 400)
    return refused(
      502,
      response,
      errorBody(`the upstream answered ${response.status} (a redirect is not followed)`, "upstream_redirect"),
    );
  // A JSON error in some other shape is the provider's own word: its clients know it.
  const own = parseObject(text);
  if (own && !findCallKey(own)) return refused(status, response, text);
  return refused(
    status,
    response,
    errorBody(`the upstream answered ${response.status} with ${describeBody(text, type)}`, "upstream_error"),
  );
}

function refused(status: number, response: Response | undefined, body: string): Refused {
  return { kind: "refused", status, headers: response?.headers, body };
}

function errorBody(message: string, code: string): string {
  return JSON.stringify({ error: { message, type: "upstream_error", code, param: null } });
}

function describeBody(text: string, type: string): string {
  if (text.trim() === "") return "an empty body";
  const start = text
    .slice(0, 4096)
    .replace(/<[^>]{0,200}>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120);
  return `${type === "" ? "a body that is no JSON" : `\`${type}\``}: ${start}`;
}

const mediaType = (response: Response): string =>
  (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** An error with nothing beside it or in it that a lax client might take for a call. */
function isErrorBody(text: string): boolean {
  const body = parseObject(text);
  return body?.error != null && findCallKey(body) === undefined;
}

/** The body's first `limit` units: what is sent without end is not read to its end. Throws when the watch ends. */
export async function readText(response: Response, limit: number, watch: Watch): Promise<string> {
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (!body) return "";
  const reader = bodyReader(body);
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  const decoder = new TextDecoder();
  let text = "";
  let spent: Uint8Array | undefined;
  while (text.length <= limit) {
    const { done, value } = await reader.read(spent);
    // A read that the watch cut off ends like the body.
    watch.signal.throwIfAborted();
    if (done) return text + decoder.decode();
    watch.heard();
    text += decoder.decode(value, { stream: true });
    spent = value;
  }
  reader.cancel().catch(() => {});
  return text.slice(0, limit);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
