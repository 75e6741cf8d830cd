/**
 * Whether a call that has waited for a person may be released now. Part of the transaction that decides and reserves: so an
 * approval releases its exact call at most once, whatever other requests run at the same time.
 */
import type { Answer } from "../../../approvals/approval.ts";
import { callDigest } from "../../../approvals/call-digest.ts";
import { isWritten } from "../../../approvals/disclosure/disclosure.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { afterApproval, type Decision, type Verdict } from "../../../policy/decision.ts";
import type { Reason } from "../../../policy/reasons.ts";
import type { CallToDecide } from "../../../ports/turns-port.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { first } from "../schema.ts";
import { openGate } from "../turns/gates.ts";
import { applyAnswer } from "./answer.ts";
import { type ApprovalRow, answerOf, bodyOf, changeApproval, findApproval } from "./rows.ts";

/** The turn that acts on the answer. */
export interface ActingTurn {
  readonly session: string;
  readonly task: number;
  readonly turn: string;
  /** Of the client's request. */
  readonly digest: string;
  /** When it was opened. */
  readonly at: number;
}

/**
 * The approval that the call names, with the request's answer applied. Undefined where this turn may not act on it: it has ended,
 * or is of another session or an earlier task.
 */
export function approvalToActOn(
  sql: SqlStorage,
  keys: AuditKeys,
  place: ActingTurn,
  { id, answer }: { readonly id: string; readonly answer?: Answer | undefined },
  now: number,
): ApprovalRow | undefined {
  const row = findApproval(sql, id);
  if (!row || row.open === 0 || row.session !== place.session || row.task !== place.task) return undefined;
  if (row.channel === "hold" && newerHoldExists(sql, place)) return undefined;
  if (answer) applyAnswer(sql, keys, row, answer, now);
  return row;
}

/**
 * Whether the same request was sent again and is held too. A lost connection may look alive for minutes, and what it released
 * would reach nobody: the newest request gets the call.
 */
const newerHoldExists = (sql: SqlStorage, { session, task, turn, digest, at }: ActingTurn): boolean =>
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

/** @param counted the current verdicts of the rules that need counts. */
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
      // It was approved elsewhere while this request, which denies it, was under way: the call must not run.
      const own = call.approval?.answer;
      if (own?.action === "deny") return { code: "approval_denied", tool, reason: own.reason };
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

/** The digest is computed again from the arguments: one that the call only carries along would bind nothing. */
function isVeryCall(row: ApprovalRow, { tool, callId, digest, arguments: args, extra }: CallToDecide): boolean {
  if (row.tool !== tool || row.call_id !== callId || row.digest !== digest) return false;
  if (canonicalJson(extra ?? null) !== canonicalJson(bodyOf(row).extra ?? null)) return false;
  return args === row.arguments || callDigest(JSON.parse(args), extra) === row.digest;
}

/** The approval is used, whatever was decided. A pending one was not answered, and stays pending. */
export function settleApproval(sql: SqlStorage, row: ApprovalRow, decision: string, now: number): void {
  if (row.status === "pending") return;
  Object.assign(row, { open: 0, ended: now, settled_by: decision });
  changeApproval(sql, row);
}

/**
 * Opens the gate if the answer enables the tool; a plain yes is for this call alone. If the policy has changed since the question,
 * the disclosure may have named this session alone: then only its gate opens.
 */
export function openAskedGate(
  sql: SqlStorage,
  row: ApprovalRow,
  owner: Parameters<typeof openGate>[1],
  { gate }: CallToDecide["counted"],
  { policy, now }: { readonly policy: string; readonly now: number },
): void {
  const { asks, disclosure } = bodyOf(row);
  // With a disclosure of the older, written kind a yes enabled the tool.
  const enables = answerOf(row)?.taken.enables === true || isWritten(disclosure);
  if (!gate || !enables || !asks.includes("first_use")) return;
  openGate(sql, owner, gate.tool, gate.perSession || row.policy !== policy ? row.session : undefined, now);
}
