/**
 * Whether a call that has waited for a person may be released now. Part of the transaction that decides, which reserves what
 * is allowed: so an approval releases its exact call at most once, whatever comes at the same time.
 */
import type { Answer } from "../../../approvals/approval.ts";
import { callDigest } from "../../../approvals/call-digest.ts";
import { isWritten } from "../../../approvals/disclosure/disclosure.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { afterApproval, type Decision, type Verdict } from "../../../policy/decision.ts";
import type { Reason } from "../../../policy/reasons.ts";
import type { CallToDecide } from "../../../ports/guard-port.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { first } from "../schema.ts";
import { openGate } from "../turns/gates.ts";
import { takeAnswer } from "./answer.ts";
import { type ApprovalRow, answerOf, bodyOf, changeApproval, findApproval } from "./rows.ts";

/** The turn, and what it is of. */
export interface Place {
  readonly session: string;
  readonly task: number;
  readonly turn: string;
  /** Of the client's request. */
  readonly digest: string;
  /** When it was opened. */
  readonly at: number;
}

/**
 * The approval that the call names, its answer taken: undefined where there is none that this turn may act on. What was
 * acted on before, is of another session, or of a task that is over, is none.
 */
export function approvalToActOn(
  sql: SqlStorage,
  keys: AuditKeys,
  place: Place,
  { id, answer }: { readonly id: string; readonly answer?: Answer | undefined },
  now: number,
): ApprovalRow | undefined {
  const row = findApproval(sql, id);
  if (!row || row.open === 0 || row.session !== place.session || row.task !== place.task) return undefined;
  if (row.channel === "hold" && isOvertaken(sql, place)) return undefined;
  if (answer) takeAnswer(sql, keys, row, answer, now);
  return row;
}

/**
 * Whether the same request was sent again and is held too: a connection that was lost may look alive for minutes, and what
 * it released would reach nobody. The newest gets the call.
 */
const isOvertaken = (sql: SqlStorage, { session, task, turn, digest, at }: Place): boolean =>
  first(
    sql.exec(
      "SELECT 1 FROM turns WHERE digest = ? AND session = ? AND task = ? AND open = 1 AND (at > ? OR (at = ? AND id > ?))",
      digest,
      session,
      task,
      at,
      at,
      turn,
    ),
  ) !== undefined;

/** @param counted what the rules that need counts say now. */
export function decideApproved(
  row: ApprovalRow | undefined,
  call: CallToDecide,
  counted: () => readonly Verdict[],
): Decision {
  const objection = row ? answerObjection(row, call) : mismatch(call);
  if (!row || objection) return { effect: "deny", reasons: [objection ?? mismatch(call)] };
  if (call.effect === "deny") return { effect: "deny", reasons: call.reasons };
  return afterApproval(call.tool, call, counted(), new Set(bodyOf(row).asks));
}

const mismatch = ({ tool }: CallToDecide): Reason => ({ code: "approval_mismatch", tool });

function answerObjection(row: ApprovalRow, call: CallToDecide): Reason | undefined {
  const { tool } = call;
  switch (row.status) {
    case "approved": {
      // Somebody said yes elsewhere while this request, which says no, was under way: the call must not run.
      const said = call.approval?.answer;
      if (said?.action === "deny") return { code: "approval_denied", tool, reason: said.reason };
      return isVeryCall(row, call) ? undefined : mismatch(call);
    }
    case "denied":
      return { code: "approval_denied", tool, reason: answerOf(row)?.taken.reason ?? null };
    case "expired":
      return { code: "approval_expired", tool };
    case "cancelled":
      return { code: "approval_cancelled", tool };
    default:
      return mismatch(call);
  }
}

/** What would be released is read again: a digest that only came along with it would bind nothing. */
function isVeryCall(row: ApprovalRow, { tool, callId, digest, arguments: args, extra }: CallToDecide): boolean {
  if (row.tool !== tool || row.call_id !== callId || row.digest !== digest) return false;
  if (canonicalJson(extra ?? null) !== canonicalJson(bodyOf(row).extra ?? null)) return false;
  return args === row.arguments || callDigest(JSON.parse(args), extra) === row.digest;
}

/** Whatever came of it: the approval is used. One that waits still was not answered, and goes on waiting. */
export function settleApproval(sql: SqlStorage, row: ApprovalRow, decision: string, now: number): void {
  if (row.status === "pending") return;
  Object.assign(row, { open: 0, ended: now, settled_by: decision });
  changeApproval(sql, row);
}

/**
 * The person has enabled the tool with the answer: a mere yes is for this call alone. Under another policy than the one that asked
 * they may have been told of this session alone: then it is for no more.
 */
export function openAskedGate(
  sql: SqlStorage,
  row: ApprovalRow,
  owner: Parameters<typeof openGate>[1],
  { gate }: CallToDecide["counted"],
  { policy, now }: { readonly policy: string; readonly now: number },
): void {
  const { asks, disclosure } = bodyOf(row);
  // The question of before disclosures were data was whether to enable the tool.
  const enables = answerOf(row)?.taken.enables === true || isWritten(disclosure);
  if (!gate || !enables || !asks.includes("first_use")) return;
  openGate(sql, owner, gate.tool, gate.perSession || row.policy !== policy ? row.session : undefined, now);
}
