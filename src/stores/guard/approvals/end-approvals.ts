/** Ends approvals: those that expire, and those that the user's next message or reset cancels. Parts of a transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import { selectAll } from "../../objects/sql-rows.ts";
import { failClosed, failExpired } from "../plans/decided.ts";
import type { Transaction } from "../transaction.ts";
import { type ApprovalRow, changeApproval, openApprovals, recordApproval, toApproval } from "./rows.ts";

/** Call it before any approval is read, so that none past its time reads as pending. @returns whether any expired. */
export function expireApprovals(transaction: Transaction): boolean {
  const { sql, now } = transaction;
  const expired = "SELECT * FROM approvals WHERE status = 'pending' AND expires <= ? ORDER BY expires, ordinal";
  const due = selectAll<ApprovalRow>(sql, expired, now);
  for (const row of due) {
    // Still open: a turn must yet report it to the model.
    row.status = "expired";
    failExpired(transaction, row);
    changeApproval(sql, row);
    recordApproval(transaction, row, "expired");
  }
  return due.length > 0;
}

/**
 * Ends all open approvals of the session: the pending ones and the approved ones without a release are cancelled; denied and expired
 * ones stay so.
 * @param turn whose request ended them; null if there is none.
 */
export const cancelOpen = (transaction: Transaction, session: string, turn: string | null): readonly Approval[] =>
  openApprovals(transaction.sql, session).map((row) => cancelApproval(transaction, row, turn));

/** Changes `row`, which is open. */
export function cancelApproval(transaction: Transaction, row: ApprovalRow, turn: string | null): Approval {
  const { sql, now } = transaction;
  const cancels = row.status === "pending" || row.status === "approved";
  Object.assign(row, { open: 0, ended: now, ended_turn: turn });
  if (cancels) row.status = "cancelled";
  changeApproval(sql, row);
  if (cancels) recordApproval(transaction, row, "cancelled");
  failClosed(transaction, row);
  return toApproval(row);
}

/** The approvals that the turn's request ended. */
export const approvalsEndedBy = (sql: SqlStorage, turn: string): readonly Approval[] =>
  selectAll<ApprovalRow>(sql, "SELECT * FROM approvals WHERE ended_turn = ? ORDER BY ordinal", turn).map(toApproval);
