/** Ending approvals: those that expire, and those that the user's next message or reset cancels. Parts of a transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { noteClosed, noteExpired } from "../plans/unasked.ts";
import { recordApproval } from "./record.ts";
import { type ApprovalRow, changeApproval, openApprovals, toApproval } from "./rows.ts";

/** Call it before any approval is read, so that none past its time reads as pending. */
export function expireApprovals(sql: SqlStorage, keys: AuditKeys, now: number): boolean {
  const due = sql
    .exec<ApprovalRow>(
      "SELECT * FROM approvals WHERE status = 'pending' AND expires <= ? ORDER BY expires, ordinal",
      now,
    )
    .toArray();
  for (const row of due) {
    // Still open: a turn must yet report it to the model.
    row.status = "expired";
    noteExpired({ sql, keys, now }, row);
    changeApproval(sql, row);
    recordApproval(sql, keys, row, { event: "expired", now });
  }
  return due.length > 0;
}

/**
 * Ends all open approvals of the session: the pending ones and the approved ones without a release are cancelled; denied and
 * expired ones stay so.
 * @param turn whose request ended them; null where there is none.
 */
export function cancelOpen(
  sql: SqlStorage,
  keys: AuditKeys,
  session: string,
  { turn, now }: { readonly turn: string | null; readonly now: number },
): readonly Approval[] {
  return openApprovals(sql, session).map((row) => cancelApproval(sql, keys, row, { turn, now }));
}

/** Changes `row`, which is open. */
export function cancelApproval(
  sql: SqlStorage,
  keys: AuditKeys,
  row: ApprovalRow,
  { turn, now }: { readonly turn: string | null; readonly now: number },
): Approval {
  const cancels = row.status === "pending" || row.status === "approved";
  Object.assign(row, { open: 0, ended: now, ended_turn: turn });
  if (cancels) row.status = "cancelled";
  changeApproval(sql, row);
  if (cancels) recordApproval(sql, keys, row, { event: "cancelled", now });
  noteClosed({ sql, keys, now }, row);
  return toApproval(row);
}

/** The approvals that the turn's request ended. */
export const approvalsEndedBy = (sql: SqlStorage, turn: string): readonly Approval[] =>
  sql
    .exec<ApprovalRow>("SELECT * FROM approvals WHERE ended_turn = ? ORDER BY ordinal", turn)
    .toArray()
    .map(toApproval);
