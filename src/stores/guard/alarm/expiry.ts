/** What expires in a user's object, and when the object must wake for it. */
import { exists, selectAll } from "../../objects/sql-rows.ts";
import { expireApprovals } from "../approvals/end-approvals.ts";
import { erasureDueAt } from "../erasure/erasures.ts";
import { KEPT_MS, SESSION_IDLE_MS, WRITES_KEPT_MS } from "../lifetimes.ts";
import { expireMcpSessions } from "../mcp-sessions.ts";
import { deliveredDueAt, removeDelivered, waitingCount } from "../outbox/outbox.ts";
import { retentionDueAt } from "../outbox/retention.ts";
import { settleLostSteps } from "../plans/ended.ts";
import { expirePlans } from "../plans/save.ts";
import { expireResponses } from "../responses/expire-responses.ts";
import { endOverdueRuns } from "../runs/finish.ts";
import type { Transaction } from "../transaction.ts";
import { closeLostTurn, LOST_MS, lostTurns } from "../turns/close.ts";
import { deleteSessionRows, IS_AWAITED } from "../turns/sessions.ts";

/** Released calls and runs per user. A row has up to some 64 KB, most have less than one. */
export const MAX_CALLS = 20_000;
/** Sessions per user: a backend may send all users' requests under one name. The most recently used sessions stay. */
export const MAX_SESSIONS = 10_000;
/** Sessions per alarm: each takes a dozen statements. */
const MAX_EXPIRED = 200;

/** When the next run, approval, grant, plan or released call ends or is deleted; undefined if there is none. */
export const timedDueAt = (sql: SqlStorage): number | undefined => earliest(sql, TIMED);

const TIMED = columns([
  "SELECT MIN(deadline) + 1 FROM runs WHERE status = 'started'",
  "SELECT MIN(expires) FROM approvals WHERE status = 'pending'",
  `SELECT MIN(ended) + ${KEPT_MS} FROM approvals WHERE ended IS NOT NULL`,
  "SELECT MIN(expires) FROM grants WHERE expires IS NOT NULL",
  `SELECT MIN(at) + ${KEPT_MS} FROM calls`,
  `SELECT MIN(at) + ${WRITES_KEPT_MS} FROM stored_writes`,
  `SELECT MIN(seen) + ${KEPT_MS} FROM response_threads`,
  "SELECT MIN(until) FROM plans WHERE until > 0",
  "SELECT MIN(expires) FROM plans WHERE until = 0",
  `SELECT MIN(used) + ${SESSION_IDLE_MS} FROM subscriptions`,
  `SELECT MIN(at) + ${SESSION_IDLE_MS} FROM ended_sessions`,
]);

/** When the next session, turn or record idles out; undefined if there is none. A lost turn may still wait for a person. */
export function idleDueAt(sql: SqlStorage): number | undefined {
  const due = [earliest(sql, IDLE), deliveredDueAt(sql)].filter((at) => at !== undefined);
  return due.length > 0 ? Math.min(...due) : undefined;
}

const IDLE = columns([
  // Old uses expire with sessions, and alone only if there is none.
  `SELECT COALESCE((SELECT MIN(seen) + ${SESSION_IDLE_MS + 1} FROM sessions), (SELECT MAX(ends) + 1 FROM uses))`,
  `SELECT MIN(opened) + ${LOST_MS + 1} FROM sessions WHERE opened IS NOT NULL`,
  `SELECT MIN(at) + ${LOST_MS + 1} FROM turns WHERE open = 1`,
  `SELECT MIN(ended) + ${SESSION_IDLE_MS + 1} FROM runs WHERE ended IS NOT NULL`,
  `SELECT MIN(ended) + ${SESSION_IDLE_MS} FROM approvals WHERE arguments <> ''`,
]);

/** The values as the columns of one row: a compound select has at most five parts. */
function columns(selects: readonly string[]): string {
  return `SELECT ${selects.map((select, index) => `(${select}) AS due${index}`).join(", ")}`;
}

function earliest(sql: SqlStorage, text: string): number | undefined {
  const due = Object.values(sql.exec(text).one()).filter((at) => typeof at === "number");
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** Whether the object must wake for anything that it stores. */
export const hasAlarmWork = (sql: SqlStorage): boolean =>
  waitingCount(sql) > 0 ||
  [retentionDueAt(sql), timedDueAt(sql), idleDueAt(sql), erasureDueAt(sql)].some((at) => at !== undefined);

/** Ends and deletes what has an expiry of its own. */
export function expireTimed(transaction: Transaction): void {
  const { sql, now } = transaction;
  endOverdueRuns(transaction);
  expireApprovals(transaction);
  sql.exec("DELETE FROM approvals WHERE ended <= ?", now - KEPT_MS);
  sql.exec("DELETE FROM grants WHERE expires <= ?", now);
  expirePlans(transaction);
  expireResponses(transaction);
  expireMcpSessions(transaction);
  sql.exec("DELETE FROM calls WHERE at <= ?", now - KEPT_MS);
  sql.exec("DELETE FROM stored_writes WHERE at <= ?", now - WRITES_KEPT_MS);
}

/** A transaction that may fail alone; the failure is logged. @returns whether it succeeded. */
export type Attempt = (event: string, fields: Readonly<Record<string, unknown>>, body: () => void) => boolean;

/**
 * Each part may fail alone, without delaying the delivery.
 * @returns whether there is more that has idled out.
 */
export function expireIdle(transaction: Transaction, attempt: Attempt): boolean {
  const { sql, now } = transaction;
  let more = false;
  for (const turn of lostTurns(sql, now)) {
    attempt("lost_turn_not_recorded", { turn: turn.id }, () => closeLostTurn(transaction, turn));
  }
  attempt("sweep_failed", {}, () => {
    more = expireSessions(transaction);
    capCalls(sql, now);
    removeDelivered(sql, now);
  });
  return more;
}

/** Deletes idle sessions and what no rule needs any more. @returns whether there is more of it. */
export function expireSessions(transaction: Transaction): boolean {
  const { sql, now } = transaction;
  const over = sessionsOver(sql, now);
  for (const id of over) deleteSessionRows(transaction, id);
  settleLostSteps(transaction);
  const idleSince = now - SESSION_IDLE_MS;
  // An ended approval needs neither its arguments nor the user's words, only what the person was shown.
  sql.exec(
    "UPDATE approvals SET arguments = '', body = json_remove(body, '$.words') WHERE ended <= ? AND arguments <> ''",
    idleSince,
  );
  sql.exec("DELETE FROM runs WHERE ended < ?", idleSince);
  // Runs of deleted sessions that have ended since. The plus keeps SQLite from the index of all runs that have ended.
  sql.exec("DELETE FROM runs WHERE task < 0 AND +ended IS NOT NULL");
  forgetSettledCalls(sql, idleSince);
  sql.exec("DELETE FROM uses WHERE ends < ?", now);
  return over.length >= MAX_EXPIRED;
}

/** Idle sessions, or those above the maximum. A session that waits for a person stays. */
function sessionsOver(sql: SqlStorage, now: number): string[] {
  const idle = `SELECT id FROM sessions WHERE seen < ? AND NOT ${IS_AWAITED} ORDER BY seen LIMIT ${MAX_EXPIRED}`;
  const ids = selectAll<{ id: string }>(sql, idle, now - SESSION_IDLE_MS, now);
  const above = `SELECT id FROM (SELECT id FROM sessions ORDER BY seen DESC LIMIT ${MAX_EXPIRED} OFFSET ${MAX_SESSIONS}) AS sessions
    WHERE NOT ${IS_AWAITED}`;
  return (ids.length > 0 ? ids : selectAll<{ id: string }>(sql, above, now)).map(({ id }) => id);
}

/** No task continues with a call that was settled so long ago, or counts its use. The condition is that of an index. */
function forgetSettledCalls(sql: SqlStorage, idleSince: number): void {
  sql.exec(
    `UPDATE calls SET extra = NULL, soft = 0 WHERE (extra IS NOT NULL OR soft = 1) AND at < ? AND outcome IS NOT NULL`,
    idleSince,
  );
}

/** Deletes the oldest above the maximum, except those of the last day: their sessions need them. */
export function capCalls(sql: SqlStorage, now: number): void {
  const oldest = "SELECT at FROM calls ORDER BY at DESC LIMIT 1 OFFSET ?";
  sql.exec(`DELETE FROM calls WHERE at < (${oldest}) AND at < ?`, MAX_CALLS - 1, now - SESSION_IDLE_MS);
}

/**
 * Ends runs past their deadline and approvals that have expired. Each is looked up separately: most objects have no such table.
 * @returns whether any ended.
 */
export function endDue(transaction: Transaction): boolean {
  const { sql, now } = transaction;
  const runs = exists(sql, "SELECT 1 FROM runs WHERE status = 'started' AND deadline < ? LIMIT 1", now);
  const approvals = exists(sql, "SELECT 1 FROM approvals WHERE status = 'pending' AND expires <= ? LIMIT 1", now);
  const overdue = runs && endOverdueRuns(transaction);
  return (approvals && expireApprovals(transaction)) || overdue;
}
