/** When approvals and grants are deleted, and when the object must wake for them. Parts of a transaction. */
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { SESSION_IDLE_MS } from "../schema.ts";
import { expireApprovals } from "./end-approvals.ts";

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
