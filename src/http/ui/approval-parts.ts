/**
 * What people answer to calls that wait: `useChat` writes it into the parts of its last message; an answer that says more than
 * yes or no (an edit, a grant) stands in the body's `toolgate.approvals`, as on chat completions. Pure.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RequestFault } from "../../wire/request-fault.ts";

export interface PartAnswer {
  readonly id: string;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** Where the request has it. */
  readonly at: string;
}

/** @returns the member `toolgate` of a chat request; its form is checked there. */
export function joinAnswers(
  toolgate: unknown,
  answers: readonly PartAnswer[],
): Result<JsonObject | undefined, RequestFault> {
  if (toolgate != null && !isObject(toolgate))
    return err({ message: "`toolgate` must be an object", param: "toolgate", code: "invalid_request" });
  if (answers.length === 0) return ok(toolgate ?? undefined);
  const given = Array.isArray(toolgate?.approvals) ? toolgate.approvals.filter(isObject) : [];
  const joined: JsonObject[] = [];
  for (const { id, approved, reason, at } of answers) {
    const more = given.find((answer) => answer.id === id);
    if (more && (more.action === "approve" || more.action === "edit") !== approved) {
      const message = `\`${at}\` answers \`${id.slice(0, 64)}\` otherwise than \`toolgate.approvals\` does`;
      return err({ message, param: at, code: "invalid_request" });
    }
    if (!more) joined.push({ id, ...answerOf(approved, reason) });
  }
  return ok({ ...toolgate, approvals: [...(Array.isArray(toolgate?.approvals) ? toolgate.approvals : []), ...joined] });
}

/** A yes has no reason: nobody would be told it. */
const answerOf = (approved: boolean, reason: string | undefined): JsonObject =>
  approved ? { action: "approve" } : { action: "deny", ...(reason?.trim() ? { reason } : {}) };
