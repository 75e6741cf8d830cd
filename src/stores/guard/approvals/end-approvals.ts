/** Ending approvals: those that expire, and those that the user's next message or reset cancels. Parts of a transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { noteClosed, noteExpired } from "../plans/decided.ts";
import { SESSION_IDLE_MS } from "../schema.ts";
import { type ApprovalRow, changeApproval, openApprovals, recordApproval, toApproval } from "./rows.ts";

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

const RETENTION_MS = 30 * 24 * 3600_000;

/** @returns whether any approval expired. */
export function removeOldApprovals(sql: SqlStorage, keys: AuditKeys, now: number): boolean {
  const expired = expireApprovals(sql, keys, now);
  sql.exec("DELETE FROM approvals WHERE ended <= ?", now - RETENTION_MS);
  sql.exec("DELETE FROM grants WHERE expires <= ?", now);
  return expired;
}

/** The arguments of an ended approval are not needed any more, only what the person was shown. */
export function clearOldArguments(sql: SqlStorage, now: number): void {
  sql.exec("UPDATE approvals SET arguments = '' WHERE ended <= ? AND arguments <> ''", now - SESSION_IDLE_MS);
}

/** When the object must wake for the next of them; undefined where there is none. */
export function approvalsDueAt(sql: SqlStorage): number | undefined {
  const { due } = sql
    .exec<{ due: number | null }>(
      `SELECT MIN(due) AS due FROM (SELECT MIN(expires) AS due FROM approvals WHERE status = 'pending'
         UNION ALL SELECT MIN(ended) + ? FROM approvals WHERE ended IS NOT NULL
         UNION ALL SELECT MIN(expires) FROM grants WHERE expires IS NOT NULL)`,
      RETENTION_MS,
    )
    .one();
  return due ?? undefined;
}

/** When the next of them has arguments that are needed no longer. */
export function argumentsDueAt(sql: SqlStorage): number | undefined {
  const { ended } = sql
    .exec<{ ended: number | null }>("SELECT MIN(ended) AS ended FROM approvals WHERE arguments <> ''")
    .one();
  return ended === null ? undefined : ended + SESSION_IDLE_MS;
}
