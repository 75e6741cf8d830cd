/** What of one user is over its time when a turn opens. */
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { expireApprovals } from "../approvals/end-approvals.ts";
import { endOverdueRuns } from "../runs/finish.ts";

/**
 * Ends runs past their deadline and approvals that have expired: looked for at once, since nearly always there are none. Part of a
 * transaction. @returns whether any ended.
 */
export function endDue(sql: SqlStorage, keys: AuditKeys, now: number): boolean {
  const { runs, approvals } = sql
    .exec<{ runs: number; approvals: number }>(
      `SELECT EXISTS (SELECT 1 FROM runs WHERE status = 'started' AND deadline < ?1) AS runs,
         EXISTS (SELECT 1 FROM approvals WHERE status = 'pending' AND expires <= ?1) AS approvals`,
      now,
    )
    .one();
  const overdue = runs === 1 && endOverdueRuns(sql, keys, now);
  return (approvals === 1 && expireApprovals(sql, keys, now)) || overdue;
}
