/** The one reader of JSON bodies: size, text that every reader understands alike, and shape. */
import type { z } from "zod";
import { readJsonDocument } from "../lib/json/json-document.ts";
import { parseStrictJson } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type ShapeIssue, shapeIssues, shapeMessages } from "../policy/document/shape-issues.ts";
import { issueText, paramOf } from "../wire/request-fault.ts";
import { badRequest, type Problem } from "./problem.ts";
import { readBody } from "./request-limits.ts";

export interface JsonBody<S extends z.ZodType> {
  /** Built at the first request: an isolate that starts builds no schemas. */
  readonly schema: () => S;
  /** What to send, for error messages. */
  readonly example: string;
  /** An absent body reads as `{}`. */
  readonly optional?: true;
  /** With `nearest`, numbers are read as the nearest double: JSON Schemas hold the bounds of 64-bit integers. */
  readonly numbers?: "nearest";
  /** The error code of a body that does not fit the schema. */
  readonly code?: string;
}

export async function readJson<S extends z.ZodType>(
  request: Request,
  maxBytes: number,
  body: JsonBody<S>,
): Promise<Result<z.output<S>, Problem>> {
  const bytes = await readBody(request, maxBytes);
  return bytes.ok ? parseJson(bytes.value, body) : bytes;
}

/** For bytes that were already read, under a limit of their own. */
export function parseJson<S extends z.ZodType>(bytes: ArrayBuffer, body: JsonBody<S>): Result<z.output<S>, Problem> {
  const value = bytes.byteLength === 0 && body.optional ? ok({}) : parseText(bytes, body);
  if (!value.ok) return value;
  const parsed = body.schema().safeParse(value.value, { error: shapeMessages });
  return parsed.success ? ok(parsed.data) : err(shapeProblem(shapeIssues(parsed.error), body));
}

/** A body that two readers understand differently is refused: a duplicate key, a number that a double cannot hold. */
function parseText(
  bytes: ArrayBuffer,
  { example, numbers }: Pick<JsonBody<z.ZodType>, "example" | "numbers">,
): Result<unknown, Problem> {
  const invalid = (message: string) => err(badRequest(undefined, `${message}; send ${example}`, "invalid_json"));
  if (bytes.byteLength === 0) return invalid("the body is missing");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return invalid("the body is not UTF-8");
  }
  const parsed = parseStrictJson(text, numbers);
  if (parsed.ok) return parsed;
  const { problem } = parsed.error;
  const fault = readJsonDocument(text).faults.find((one) => one.problem === problem);
  return invalid(`the body ${problem === "syntax" ? "is not JSON" : "is ambiguous"}: ${fault?.message}`);
}

const MAX_ERRORS = 100;

/** The first issue becomes the message; all of them are in `errors`. */
function shapeProblem(
  issues: readonly ShapeIssue[],
  { example, code = "invalid_value" }: Pick<JsonBody<z.ZodType>, "example" | "code">,
): Problem {
  const [first] = issues;
  const param = first && paramOf(first.at);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  const message = `${param ? `\`${param}\`` : "the body"} ${first ? issueText(first) : "does not fit"}${more}; send ${example}`;
  return {
    ...badRequest(param, message, first?.unknown ? "unknown_parameter" : code),
    errors: issues.slice(0, MAX_ERRORS).map((one) => ({ path: one.path, message: issueText(one) })),
  };
}
