/** Reports an upstream's answer that is not what was requested, in OpenAI's error shape. */

import { newId } from "../../lib/ids.ts";
import { isObject, type JsonObject, objectsIn, parseObject } from "../../lib/json/json-value.ts";
import { hasOddKeys } from "../../lib/json/strict-json.ts";
import { foldKey } from "../../lib/names.ts";
import type { StepOutcome } from "../../ports/model-port.ts";
import { findCallName, findCallOutside } from "../../wire/call-names.ts";
import { callFault, callName, MAX_ARGUMENT_UNITS, type ModelCall } from "../../wire/call-parts.ts";
import { cleanAnswer } from "../../wire/clean-answer.ts";
import { errorObject } from "../../wire/error-object.ts";
import { isCut } from "../../wire/finish-reasons.ts";
import type { Failure } from "../upstream/retry.ts";
import type { UpstreamDeadline, UpstreamTimeout } from "../upstream/time-limit.ts";
import { readText } from "./body-reader.ts";
import { readFragment } from "./call-assembly.ts";
import { NAMELESS, UNNAMED } from "./relay-outcome.ts";

type RefusedStep = Extract<StepOutcome, { kind: "refused" }>;

/** UTF-16 units of a JSON answer: an isolate holds it about five times, as received, parsed, and written for the client. */
const MAX_BODY = 8 * 1024 * 1024;
/** The same limit for an answer that is an error, or should have been a stream. */
const MAX_ERROR = 1024 * 1024;

/** Thrown if the answer cannot be used, also inside the `fetch` of a provider of the SDK, which passes it on. */
export class UpstreamRefusal extends Error {
  readonly outcome: StepOutcome;
  /** The response's advice on retries. */
  readonly failure: Failure;

  /** @param response whose status and headers say whether to try again; without one there was no complete answer. */
  constructor(outcome: StepOutcome, response?: Response) {
    super(outcome.kind === "refused" ? outcome.body : outcome.kind);
    this.outcome = outcome;
    this.failure = response
      ? { kind: "answered", status: response.status, headers: response.headers }
      : { kind: "unreachable" };
  }

  /** Undefined if the answer is an event stream. */
  static async ofStream(response: Response, watch: UpstreamDeadline): Promise<UpstreamRefusal | undefined> {
    if (!response.ok) return new UpstreamRefusal(await refusedWith(response, watch), response);
    const type = mediaType(response);
    if (response.body && !/json|html/.test(type)) return undefined;
    const text = await readText(response, MAX_ERROR, watch);
    const error = errorBodyOf(text);
    if (error !== undefined) return new UpstreamRefusal(refused(502, response, error), response);
    const what = type === "" ? "an empty body" : `\`${type}\``;
    const detail = `the upstream answered a streaming request with ${what} instead of an event stream`;
    return new UpstreamRefusal(refused(502, response, errorBody(detail, "upstream_not_streaming")), response);
  }
}

/** A time-out before anything was sent to the client. */
export function timedOut({ error: fault }: UpstreamTimeout): RefusedStep {
  return refused(504, undefined, JSON.stringify({ error: fault }));
}

/** A connection that could not be made, or an unexpected failure: to the client both are the upstream's. */
export function refusalOf(error: unknown): RefusedStep {
  const cause = error instanceof Error ? error.message : String(error);
  return refused(
    502,
    undefined,
    errorBody(`the upstream could not be reached or read: ${cause}`, "upstream_unreachable"),
  );
}

interface JsonAnswer {
  readonly body: JsonObject;
  readonly calls: readonly ModelCall[];
}

/** A whole JSON answer: the body as it came, without members that no upstream may set. */
export async function readJsonBody(response: Response, watch: UpstreamDeadline): Promise<JsonAnswer> {
  if (!response.ok) throw new UpstreamRefusal(await refusedWith(response, watch), response);
  const text = await readText(response, MAX_BODY, watch);
  if (text.length >= MAX_BODY) {
    const detail = `the upstream's answer is longer than ${MAX_BODY} characters: ask for less, or for a stream`;
    throw new UpstreamRefusal(refused(502, response, errorBody(detail, "upstream_answer_too_large")), response);
  }
  const sent = parseObject(text);
  if (!sent) {
    const detail = `the upstream answered 200 with ${describeBody(text, mediaType(response))} instead of a JSON object`;
    const outcome = refused(502, response, errorBody(detail, "upstream_invalid_json"));
    // An empty body is an answer that got lost.
    throw new UpstreamRefusal(outcome, text.trim() === "" ? undefined : response);
  }
  const body = cleanAnswer(sent, "message");
  if (body.error != null) {
    const fault = JSON.stringify({ error: errorObject(body.error) });
    throw new UpstreamRefusal(refused(502, response, fault), response);
  }
  const choices = objectsIn(body.choices);
  if (choices.length === 0) {
    const fault = errorBody("the upstream's answer has no `choices`", "upstream_no_choices");
    throw new UpstreamRefusal(refused(502, response, fault), response);
  }
  const disorder = findHiddenCall(sent) ?? findDisorder(choices, body);
  if (disorder) {
    const begun = choices.flatMap(namesIn);
    throw new UpstreamRefusal({ kind: "disorderly", detail: disorder, error: undefined, begun }, response);
  }
  return { body, calls: readCalls(choices[0]) };
}

function callsOf(choice: JsonObject | undefined): readonly unknown[] {
  const message = choice?.message;
  return isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : [];
}

/** Some providers give all calls of an answer one id, or none. */
function readCalls(choice: JsonObject | undefined): readonly ModelCall[] {
  const seen = new Set<string>();
  return callsOf(choice).map((call) => {
    const { id: given = "", name = "", arguments: text = "" } = readFragment(call as JsonObject) ?? {};
    const id = given.trim() === "" || seen.has(given) ? newId("call", Date.now()) : given;
    seen.add(id);
    return { id, name, arguments: text, extra: undefined };
  });
}

/** The names of a choice's calls for the record, even if the calls are faulty. */
const namesIn = (choice: JsonObject): string[] => callsOf(choice).map((call) => callName(call) ?? UNNAMED);

function findHiddenCall(body: JsonObject): string | undefined {
  const hidden = findCallOutside(body, "message");
  return hidden === undefined ? undefined : `calls under the key \`${hidden}\` are not understood`;
}

/** Calls that do not have the form that the gateway reads. */
function findDisorder(choices: readonly JsonObject[], body: JsonObject): string | undefined {
  if (!Array.isArray(body.choices) || body.choices.length > choices.length) return "a choice is not an object";
  for (const [index, choice] of choices.entries()) {
    const made = isObject(choice.message) ? choice.message.tool_calls : undefined;
    if (made != null && !Array.isArray(made)) return "`tool_calls` is not a list";
    const calls = callsOf(choice);
    if (calls.length === 0) continue;
    if (index > 0) return "tool calls in a choice other than the first are not supported";
    if (JSON.stringify(calls).length > 2 * MAX_ARGUMENT_UNITS) return "the arguments of the step's calls are too large";
    const fault = calls.map(callFault).find((one) => one !== undefined);
    if (fault !== undefined) return fault;
    // No call of a cut-off answer counts.
    if (isCut(choice.finish_reason)) continue;
    if (!calls.every((call) => callName(call) !== undefined)) return NAMELESS;
    if (!calls.every((call) => typeof readFragment(call as JsonObject)?.arguments === "string"))
      return "the id or the arguments of a tool call are not text";
  }
  return undefined;
}

async function refusedWith(response: Response, watch: UpstreamDeadline): Promise<RefusedStep> {
  const status = response.status >= 400 ? response.status : 502;
  const text = await readText(response, MAX_ERROR, watch);
  const error = errorBodyOf(text);
  if (error !== undefined) return refused(status, response, error);
  const type = mediaType(response);
  if (response.status < 400)
    return refused(
      502,
      response,
      errorBody(`the upstream answered ${response.status} (a redirect is not followed)`, "upstream_redirect"),
    );
  // A JSON error in another shape is the provider's own: its clients know it.
  const own = parseObject(text);
  if (own && isHarmless(own, text)) return refused(status, response, text);
  return refused(
    status,
    response,
    errorBody(`the upstream answered ${response.status} with ${describeBody(text, type)}`, "upstream_error"),
  );
}

function refused(status: number, response: Response | undefined, body: string): RefusedStep {
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

/** The body of an error as it came. If a reader might take something in it for a call, only in OpenAI's shape. */
function errorBodyOf(text: string): string | undefined {
  const body = parseObject(text);
  if (body?.error == null) return undefined;
  return isHarmless(body, text) ? text : JSON.stringify({ error: errorObject(body.error) });
}

/** Whether every reader finds the same in an error's body, and none finds a call or the gateway's own object. */
const isHarmless = (body: JsonObject, text: string): boolean =>
  findCallName(body) === undefined &&
  !Object.keys(body).some((key) => foldKey(key) === "toolgate") &&
  !hasOddKeys(text);
