/** How approvals end that nobody answers in time, or that what the user does next overtakes. Parts of a transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { noteClosed, noteExpired } from "../plans/unasked.ts";
import { recordApproval } from "./record.ts";
import { type ApprovalRow, changeApproval, openApprovals, toApproval } from "./rows.ts";

/** To be called before any approval is read: what has expired is told as expired, whatever rang or did not. */
export function expireApprovals(sql: SqlStorage, keys: AuditKeys, now: number): boolean {
  const due = sql
    .exec<ApprovalRow>(
      "SELECT * FROM approvals WHERE status = 'pending' AND expires <= ? ORDER BY expires, ordinal",
      now,
    )
    .toArray();
  for (const row of due) {
    // Open still: a turn has yet to tell the model.
    row.status = "expired";
    noteExpired({ sql, keys, now }, row);
    changeApproval(sql, row);
    recordApproval(sql, keys, row, { event: "expired", now });
  }
  return due.length > 0;
}

/**
 * Ends all that the session has open: what waits, and what was approved and not yet released, is cancelled; what was denied or
 * has expired stays so.
 * @param turn the one that overtook them; null where it was none.
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

/** Those that the turn ended, as it was told. */
export const approvalsEndedBy = (sql: SqlStorage, turn: string): readonly Approval[] =>
  sql
    .exec<ApprovalRow>("SELECT * FROM approvals WHERE ended_turn = ? ORDER BY ordinal", turn)
    .toArray()
    .map(toApproval);
