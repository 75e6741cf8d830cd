/** What expires in a user's object and in D1, and when the object must wake for it. */
import { describeError, log } from "../../../lib/log.ts";
import type { KvPort } from "../../../ports/kv-port.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { retentionDays } from "../../audit/retention-overdue.ts";
import { approvalsDueAt, argumentsDueAt, expireApprovals, removeOldApprovals } from "../approvals/end-approvals.ts";
import { deliveredDueAt, forgetDelivered, waitingCount } from "../outbox/outbox.ts";
import { removeExpired, retentionDueAt, scheduleRetention } from "../outbox/retention.ts";
import { plansDueAt, tidyPlans } from "../plans/save.ts";
import { endedRunsDueAt, runsDueAt } from "../runs/expiry.ts";
import { endOverdueRuns } from "../runs/finish.ts";
import { callsDueAt, capCalls, expireCalls } from "../stored-calls.ts";
import { readMeta } from "../transaction.ts";
import { closeLostTurn, expireClosedTurns, lostTurns, lostTurnsDueAt } from "../turns/close.ts";
import { expireSessions, sessionsDueAt } from "../turns/sessions.ts";
import type { AlarmClock } from "./alarm-clock.ts";

/** With so many undelivered records, each failed delivery logs that the outbox grows. */
const MANY_WAITING = 10_000;

/** How soon a failed removal of old records is repeated. */
const RETENTION_RETRY_MS = 3600_000;

/** Whether the object must wake for anything that it stores. */
export const hasAlarmWork = (sql: SqlStorage): boolean =>
  waitingCount(sql) > 0 || [retentionDueAt(sql), timedDueAt(sql), idleDueAt(sql)].some((at) => at !== undefined);

/** What has a time of its own: runs, approvals, grants, plans and released calls. One transaction. */
export function expireTimed(sql: SqlStorage, keys: AuditKeys, now: number): void {
  endOverdueRuns(sql, keys, now);
  removeOldApprovals(sql, keys, now);
  tidyPlans({ sql, keys, now });
  expireCalls(sql, now);
}

/** When the next of it expires; undefined where there is none. */
export const timedDueAt = (sql: SqlStorage): number | undefined =>
  earliest([runsDueAt(sql), approvalsDueAt(sql), callsDueAt(sql), plansDueAt(sql)]);

/** When the next session, turn or record idles out; undefined where there is none. */
export const idleDueAt = (sql: SqlStorage): number | undefined =>
  earliest([sessionsDueAt(sql), lostTurnsDueAt(sql), deliveredDueAt(sql), endedRunsDueAt(sql), argumentsDueAt(sql)]);

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const due = times.filter((at) => at !== undefined);
  return due.length > 0 ? Math.min(...due) : undefined;
}

interface FailedAttempt {
  /** How often in a row. */
  readonly attempt: number;
  /** The database has no room: somebody must act. */
  readonly full: boolean;
  readonly error: unknown;
}

export function logDeliveryFailure(sql: SqlStorage, { attempt, full, error }: FailedAttempt): void {
  const waiting = waitingCount(sql);
  log("error", full ? "audit_database_full" : "audit_delivery_failed", { attempt, waiting, ...describeError(error) });
  if (waiting >= MANY_WAITING) log("error", "audit_outbox_grows", { ...readMeta(sql, "owner"), waiting });
}

/** A transaction that may fail alone; the failure is logged. @returns whether it succeeded. */
export type Attempt = (event: string, fields: Readonly<Record<string, unknown>>, body: () => void) => boolean;

/**
 * Each part may fail alone, without delaying the delivery.
 * @returns whether there is more that has idled out.
 */
export function expireIdle(sql: SqlStorage, keys: AuditKeys, attempt: Attempt, now: number): boolean {
  let more = false;
  for (const turn of lostTurns(sql, now)) {
    attempt("lost_turn_not_recorded", { turn }, () => closeLostTurn(sql, keys, turn, now));
  }
  attempt("sweep_failed", {}, () => {
    expireClosedTurns(sql, now);
    more = expireSessions(sql, keys, now);
    capCalls(sql);
    forgetDelivered(sql, now);
  });
  return more;
}

interface RetainStores {
  readonly sql: SqlStorage;
  readonly keys: AuditKeys;
  readonly db: D1Database;
  readonly kv: KvPort;
  readonly clock: AlarmClock;
  readonly now: number;
}

/** Removes old records from D1, and schedules the next removal. */
export async function removeExpiredRecords({ sql, keys, db, kv, clock, now }: RetainStores): Promise<void> {
  const owner = readMeta(sql, "owner");
  try {
    if (owner && (retentionDueAt(sql) ?? Number.POSITIVE_INFINITY) <= now) {
      const days = (tenant: string) => retentionDays(kv, tenant, now);
      await removeExpired({ sql, db, keys, days }, owner, now);
    }
  } catch (error) {
    log("error", "audit_retention_failed", describeError(error));
    // Not with each failed delivery: a database that is down gets no second request for each.
    scheduleRetention(sql, now + RETENTION_RETRY_MS);
  }
  const dueAt = retentionDueAt(sql);
  if (dueAt !== undefined) clock.schedule(Math.max(0, dueAt - now));
}

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
