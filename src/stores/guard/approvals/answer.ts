/** Applies a person's answer, from any channel. Releases nothing. Part of a transaction. */
import type { Answer } from "../../../approvals/approval.ts";
import { callDigest } from "../../../approvals/call-digest.ts";
import { isWritten } from "../../../approvals/disclosure/disclosure.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { afterApproval, type Decision, type Verdict } from "../../../policy/decision.ts";
import type { Reason } from "../../../policy/reasons.ts";
import type { ApprovalRecord } from "../../../ports/audit-record.ts";
import type { CallToDecide } from "../../../ports/turns/decide-request.ts";
import { keyedDigest } from "../../audit/audit-keys.ts";
import type { Transaction } from "../transaction.ts";
import { openGate } from "../turns/gates.ts";
import { readTurns, startedAfter, triesOfRequest } from "../turns/session-turns.ts";
import { endorseSource } from "../turns/sessions.ts";
import { giveGrant } from "./grants.ts";
import {
  type ApprovalRow,
  answerOf,
  bodyOf,
  changeApproval,
  findApproval,
  recordApproval,
  type StoredAnswer,
} from "./rows.ts";

/** `applied`: now. `before`: the same answer was applied before. `settled`: it has another answer or end. */
type AnswerResult = "applied" | "before" | "settled";

const events: Readonly<Record<Answer["action"], ApprovalRecord["event"]>> = {
  approve: "approved",
  edit: "edited",
  deny: "denied",
};

/**
 * The first answer counts. A grant or an endorsement in it stays valid, whatever happens to the call. Throws for an answer that the
 * approval does not offer. Changes `row`.
 */
export function applyAnswer(transaction: Transaction, row: ApprovalRow, answer: Answer): AnswerResult {
  const { sql, keys, now } = transaction;
  const digest = keyedDigest(keys, sha256Hex(canonicalJson(answerIdentity(answer, now))));
  if (row.status !== "pending") {
    const ended = row.status === "expired" || row.status === "cancelled";
    return !ended && answerOf(row)?.digest === digest ? "before" : "settled";
  }
  const body = bodyOf(row);
  if ((answer.action === "edit") !== (answer.edited !== undefined) || (answer.edited && !body.editable))
    throw new Error("the approval takes no such edit");
  if (answer.grant && (answer.action === "deny" || !body.grantable)) throw new Error("the approval gives no grant");
  const { action, via, by, reason, enables, endorses } = answer;
  if (enables && (action === "deny" || !body.asks.includes("first_use")))
    throw new Error("the approval enables nothing");
  if (endorses && (action !== "approve" || !body.endorsable)) throw new Error("the approval endorses nothing");
  row.status = action === "deny" ? "denied" : "approved";
  row.answered = now;
  row.answer = JSON.stringify({ taken: { action, via, by, reason, enables, endorses }, digest } satisfies StoredAnswer);
  const grant = answer.grant && giveGrant(sql, row, answer.grant, now);
  if (endorses && body.endorsable) endorseSource(sql, row, body.endorsable.digest);
  if (answer.edited) {
    const { arguments: args, digest: edited, recorded, disclosure } = answer.edited;
    Object.assign(row, { arguments: args, digest: edited, body: JSON.stringify({ ...body, recorded, disclosure }) });
  }
  changeApproval(sql, row);
  recordApproval(transaction, row, events[action], grant);
  return "applied";
}

/** What makes two answers the same: not their author, nor the exact time that a grant counts from. */
function answerIdentity({ action, reason, edited, grant, enables, endorses }: Answer, now: number): unknown {
  const minutes = grant?.expiresAt == null ? null : Math.round((grant.expiresAt - now) / 60_000);
  return {
    action,
    reason,
    edited: edited?.digest ?? null,
    ...(enables && { enables }),
    ...(endorses && { endorses }),
    grant: grant ? { session: grant.session, minutes, arguments: grant.arguments } : null,
  };
}

/** The turn that acts on the answer. */
interface ActingTurn {
  readonly session: string;
  readonly task: number;
  readonly turn: string;
  /** Digest of the client's request. */
  readonly digest: string;
  /** When it was opened. */
  readonly at: number;
}

/**
 * The approval that the call names, with the request's answer applied. Undefined if this turn may not act on it: it has ended, or
 * belongs to another session or an earlier task.
 */
export function approvalToActOn(
  transaction: Transaction,
  acting: ActingTurn,
  { id, answer }: NonNullable<CallToDecide["approval"]>,
): ApprovalRow | undefined {
  const { sql } = transaction;
  const row = findApproval(sql, id);
  if (!row || row.open === 0 || row.session !== acting.session || row.task !== acting.task) return undefined;
  if (row.channel === "hold" && newerHoldExists(sql, acting)) return undefined;
  if (answer) applyAnswer(transaction, row, answer);
  return row;
}

/**
 * Whether the same request was sent again and is held too. A lost connection may look alive for minutes, and what it released would
 * reach no client: the newest request gets the call.
 */
function newerHoldExists(sql: SqlStorage, { session, task, turn, digest, at }: ActingTurn): boolean {
  return triesOfRequest(readTurns(sql, session), digest).some(
    (one) => one.open && one.task === task && startedAfter(one, { id: turn, at }),
  );
}

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

/** The digest is computed again from the arguments: one that the call only carries would bind nothing. */
function isVeryCall(row: ApprovalRow, { tool, callId, digest, arguments: args, extra }: CallToDecide): boolean {
  if (row.tool !== tool || row.call_id !== callId || row.digest !== digest) return false;
  if (canonicalJson(extra ?? null) !== canonicalJson(bodyOf(row).extra ?? null)) return false;
  return args === row.arguments || callDigest(JSON.parse(args), extra) === row.digest;
}

/** Digest of the result that the person endorsed with the answer; undefined if they did not. */
export const endorsedWith = (row: ApprovalRow): string | undefined =>
  answerOf(row)?.taken.endorses === true ? bodyOf(row).endorsable?.digest : undefined;

/** The approval is used up, whatever was decided. A pending one was not answered, and stays pending. */
export function markUsed({ sql, now }: Transaction, row: ApprovalRow, decision: string): void {
  if (row.status === "pending") return;
  Object.assign(row, { open: 0, ended: now, settled_by: decision });
  changeApproval(sql, row);
}

/**
 * Opens the gate if the answer enables the tool; a plain yes is for this call only. If the policy has changed since the question, the
 * disclosure may have named only this session: then only its gate opens.
 */
export function openAskedGate(
  transaction: Transaction,
  row: ApprovalRow,
  { gate }: CallToDecide["counted"],
  policy: string,
): void {
  const { asks, disclosure } = bodyOf(row);
  // With a disclosure of the older, written kind a yes enabled the tool.
  const enables = answerOf(row)?.taken.enables === true || isWritten(disclosure);
  if (!gate || !enables || !asks.includes("first_use")) return;
  const session = gate.perSession || row.policy !== policy ? row.session : undefined;
  openGate(transaction, gate.tool, session, gate);
}
