/** A fault of a request, worded for its sender. Pure. */
import { err, type Result } from "../lib/result.ts";
import type { ShapeIssue } from "../policy/document/shape-issues.ts";

export interface RequestFault {
  readonly message: string;
  /** The place in the body; null for the whole. */
  readonly param: string | null;
  /** Stable. */
  readonly code: string;
}

/** A value that the request may not have there. */
export const invalidRequest = (message: string, param: string): Result<never, RequestFault> =>
  err({ message, param, code: "invalid_request" });

const MAX_PARAM = 64;

/** As OpenAI names the place of an error: `messages[0].content`; undefined for the whole body. */
export function paramOf(at: readonly PropertyKey[]): string | undefined {
  const param = at.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return param.replace(/^\./, "").slice(0, MAX_PARAM).toWellFormed() || undefined;
}

/** To be written behind the name of the field. */
export function issueText({ unknown, meant, message }: ShapeIssue): string {
  if (!unknown) return message;
  return meant === undefined ? "is unknown: leave it out" : `is unknown: did you mean \`${meant}\`?`;
}
