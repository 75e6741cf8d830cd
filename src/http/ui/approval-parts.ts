/**
 * People's answers to pending calls: `useChat` writes them into the parts of its last message. An answer that is more than yes or no
 * (an edit, a grant) is in the body's `toolgate.approvals`, as on chat completions. Pure.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { ok, type Result } from "../../lib/result.ts";
import { invalidRequest, type RequestFault } from "../../wire/request-fault.ts";

export interface PartAnswer {
  readonly id: string;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** Its position in the request. */
  readonly at: string;
}

/**
 * @param settled approvals whose parts show their outcome: the SDK sends the body of an answer again with later requests.
 * @returns the member `toolgate` of a chat request; its form is checked there.
 */
export function joinAnswers(
  toolgate: unknown,
  answers: readonly PartAnswer[],
  settled: ReadonlySet<unknown>,
): Result<JsonObject | undefined, RequestFault> {
  if (toolgate != null && !isObject(toolgate)) return invalidRequest("`toolgate` must be an object", "toolgate");
  const approvals = toolgate?.approvals ?? [];
  if (!Array.isArray(approvals)) return ok(toolgate ?? undefined);
  const given = approvals.filter((answer) => !isObject(answer) || !settled.has(answer.id));
  const joined: JsonObject[] = [];
  for (const { id, approved, reason, at } of answers) {
    const more = given.filter(isObject).find((answer) => answer.id === id);
    if (more && (more.action === "approve" || more.action === "edit") !== approved) {
      const message = `\`${at}\` answers \`${id.slice(0, 64)}\` otherwise than \`toolgate.approvals\` does`;
      return invalidRequest(message, at);
    }
    if (!more) joined.push({ id, ...answerOf(approved, reason) });
  }
  return ok({ ...toolgate, approvals: [...given, ...joined] });
}

/** A yes has no reason: no reader would get it. */
const answerOf = (approved: boolean, reason: string | undefined): JsonObject =>
  approved ? { action: "approve" } : { action: "deny", ...(reason?.trim() ? { reason } : {}) };
