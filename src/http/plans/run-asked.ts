/** The bodies of `POST /v1/plans/:id/run` and `…/approve`. Pure. */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { textOf } from "../../wire/conversation.ts";
import { badRequest, type Problem } from "../problem.ts";
import { readStrictObject } from "../strict-body.ts";

/** What came of a call that was released to the client. */
interface ResultAsked {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface RunAsked {
  readonly values: JsonObject;
  readonly results: readonly ResultAsked[];
  readonly repeatUnknown: boolean;
  readonly stream: boolean;
}

export interface ApproveAsked {
  readonly digest: string;
  readonly values: JsonObject;
}

const RUN = '`{ "placeholders"?, "results"?, "repeat_unknown"?, "stream"? }`';
const APPROVE = '`{ "digest": "…", "placeholders"? }`';
const CANCEL = "`{}`, or no body";
const MAX_RESULTS = 64;

/** No body at all asks for nothing besides. */
export function readRunAsked(bytes: ArrayBuffer): Result<RunAsked, Problem> {
  const body = bytes.byteLength === 0 ? ok({}) : readStrictObject(bytes, RUN);
  if (!body.ok) return body;
  const { placeholders, results, repeat_unknown: repeat = false, stream = true, ...others } = body.value as JsonObject;
  const problem = unknownMember(others, RUN) ?? notFlag("repeat_unknown", repeat) ?? notFlag("stream", stream);
  if (problem) return err(problem);
  const values = readValues(placeholders);
  if (!values.ok) return values;
  const brought = readResults(results);
  if (!brought.ok) return brought;
  return ok({
    values: values.value,
    results: brought.value,
    repeatUnknown: repeat === true,
    stream: stream !== false,
  });
}

export function readApproveAsked(bytes: ArrayBuffer): Result<ApproveAsked, Problem> {
  const body = readStrictObject(bytes, APPROVE);
  if (!body.ok) return body;
  const { digest, placeholders, ...others } = body.value;
  const problem = unknownMember(others, APPROVE);
  if (problem) return err(problem);
  if (typeof digest !== "string" || digest === "")
    return err(badRequest("digest", "`digest` must be the plan's own, as it was shown: it says what is approved"));
  const values = readValues(placeholders);
  return values.ok ? ok({ digest, values: values.value }) : values;
}

/** A cancellation says all by its address: nothing may come with it. */
export function checkCancelAsked(bytes: ArrayBuffer): Problem | undefined {
  const body = bytes.byteLength === 0 ? ok({}) : readStrictObject(bytes, CANCEL);
  return body.ok ? unknownMember(body.value, CANCEL) : body.error;
}

function unknownMember(others: JsonObject, example: string): Problem | undefined {
  const [unknown] = Object.keys(others);
  if (unknown === undefined) return undefined;
  return badRequest(
    unknown.slice(0, 64),
    `unknown member \`${unknown.slice(0, 64)}\`; send ${example}`,
    "unknown_parameter",
  );
}

const notFlag = (name: string, value: unknown): Problem | undefined =>
  value === null || typeof value === "boolean" ? undefined : badRequest(name, `\`${name}\` must be true or false`);

function readValues(value: unknown): Result<JsonObject, Problem> {
  if (value == null) return ok({});
  if (isObject(value)) return ok(value);
  return err(badRequest("placeholders", "`placeholders` must be an object: what is filled in, by name"));
}

/** OpenAI's tool messages, as a client has them; `is_error` says of one that it failed. */
function readResults(value: unknown): Result<readonly ResultAsked[], Problem> {
  if (value == null) return ok([]);
  if (!Array.isArray(value) || value.length > MAX_RESULTS)
    return err(badRequest("results", `\`results\` must be a list of at most ${MAX_RESULTS} tool messages`));
  const read: ResultAsked[] = [];
  for (const [index, one] of value.entries()) {
    const at = `results[${index}]`;
    const wrong = `\`${at}\` must be \`{ "tool_call_id": "…", "content": …, "is_error"?: true }\``;
    if (!isObject(one)) return err(badRequest(at, wrong));
    const { role = "tool", tool_call_id: callId, content, is_error: isError = false, ...others } = one;
    if (role !== "tool" || typeof callId !== "string" || content === undefined || typeof isError !== "boolean")
      return err(badRequest(at, wrong));
    if (Object.keys(others).length > 0) return err(badRequest(at, wrong, "unknown_parameter"));
    if (read.some((before) => before.callId === callId))
      return err(badRequest(at, `two results are of the call \`${callId.slice(0, 64)}\`: bring one of them`));
    read.push({ callId, text: contentText(content), isError });
  }
  return ok(read);
}

/** A list of content parts is their text; any other JSON is told as such. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const isParts = Array.isArray(content) && content.length > 0 && content.every(isTextPart);
  return isParts ? textOf(content) : JSON.stringify(content);
}

const isTextPart = (part: unknown): boolean => isObject(part) && part.type === "text" && typeof part.text === "string";
