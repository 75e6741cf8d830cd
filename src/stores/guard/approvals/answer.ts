/** Applying a person's answer, from any channel. Releases nothing. Part of a transaction. */
import type { Answer } from "../../../approvals/approval.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import type { ApprovalRecord } from "../../../ports/audit-record.ts";
import { type AuditKeys, keyedDigest } from "../../audit/audit-keys.ts";
import { giveGrant } from "./grants.ts";
import { recordApproval } from "./record.ts";
import { type ApprovalRow, answerOf, bodyOf, changeApproval, type StoredAnswer } from "./rows.ts";

/** `taken`: now. `before`: the same answer was applied before. `settled`: it has another answer or end. */
export type AnswerResult = "taken" | "before" | "settled";

const events: Readonly<Record<Answer["action"], ApprovalRecord["event"]>> = {
  approve: "approved",
  edit: "edited",
  deny: "denied",
};

/**
 * The first answer counts. A grant in it holds, whatever happens to the call. Throws for an answer that the approval does not
 * offer. Changes `row`.
 */
export function applyAnswer(
  sql: SqlStorage,
  keys: AuditKeys,
  row: ApprovalRow,
  answer: Answer,
  now: number,
): AnswerResult {
  const digest = keyedDigest(keys, sha256Hex(canonicalJson(answerIdentity(answer, now))));
  if (row.status !== "pending") {
    const ended = row.status === "expired" || row.status === "cancelled";
    return !ended && answerOf(row)?.digest === digest ? "before" : "settled";
  }
  const body = bodyOf(row);
  if ((answer.action === "edit") !== (answer.edited !== undefined) || (answer.edited && !body.editable))
    throw new Error("the approval takes no such edit");
  if (answer.grant && (answer.action === "deny" || !body.grantable)) throw new Error("the approval gives no grant");
  const { action, via, by, reason, enables } = answer;
  if (enables && (action === "deny" || !body.asks.includes("first_use")))
    throw new Error("the approval enables nothing");
  row.status = action === "deny" ? "denied" : "approved";
  row.answered = now;
  row.answer = JSON.stringify({
    taken: { action, via, by, reason, ...(enables ? { enables } : {}) },
    digest,
  } satisfies StoredAnswer);
  const grant = answer.grant && giveGrant(sql, row, answer.grant, now);
  if (answer.edited) {
    const { arguments: args, digest: edited, recorded, disclosure } = answer.edited;
    Object.assign(row, { arguments: args, digest: edited, body: JSON.stringify({ ...body, recorded, disclosure }) });
  }
  changeApproval(sql, row);
  recordApproval(sql, keys, row, { event: events[action], now, ...(grant ? { grant } : {}) });
  return "taken";
}

/** What makes two answers the same: not their author, nor the exact time that a grant counts from. */
function answerIdentity({ action, reason, edited, grant, enables }: Answer, now: number): unknown {
  const minutes = grant?.expiresAt == null ? null : Math.round((grant.expiresAt - now) / 60_000);
  return {
    action,
    reason,
    edited: edited?.digest ?? null,
    ...(enables ? { enables } : {}),
    grant: grant ? { session: grant.session, minutes, arguments: grant.arguments } : null,
  };
}
