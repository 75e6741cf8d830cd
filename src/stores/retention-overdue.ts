/**
 * Finds audit records that should be gone long since, and wakes the objects whose they are. An object removes its own in
 * time, so there is nothing to find, and a tenant costs a look at its oldest record, but after an upgrade from a version without
 * retention, or where an object has lost its storage.
 */
import { describeError } from "../lib/describe-error.ts";
import { log } from "../lib/log.ts";
import { type AuditTable, tableOf } from "./audit-tables.ts";
import type { ChainPort } from "./chain-port.ts";
import type { KvPort } from "./kv-port.ts";
import { retentionDays } from "./retention-days.ts";

const DAY_MS = 24 * 3600_000;
/** An object looks once a day. */
const SLACK_MS = 2 * DAY_MS;
/** Of one run: what is left is found by the next. */
const MAX_TENANTS = 300;
const MAX_USERS = 300;
/** Of one tenant. */
const ROWS = 1_000;

export interface OverdueStores {
  readonly db: D1Database;
  readonly kv: KvPort;
  readonly chainOf: (owner: Overdue) => Pick<ChainPort, "wake">;
}

export interface Overdue {
  readonly tenant: string;
  readonly user: string;
}

/** @returns whose objects were woken. Rejects where D1 fails: the next run finds the same. */
export async function wakeOverdue({ db, kv, chainOf }: OverdueStores, now: number): Promise<readonly Overdue[]> {
  const woken: Overdue[] = [];
  for (const { tenant, oldest } of await oldestOfTenants(db, now - SLACK_MS - DAY_MS)) {
    const days = await retentionDays(kv, tenant, now);
    if (days === undefined || oldest >= now - SLACK_MS - days * DAY_MS) continue;
    for (const user of await usersBefore(db, tenant, now - SLACK_MS - days * DAY_MS)) {
      if (woken.length === MAX_USERS) return woken;
      try {
        await chainOf({ tenant, user }).wake({ tenant, user });
        woken.push({ tenant, user });
      } catch (error) {
        log("error", "object_not_woken", { tenant, ...describeError(error) });
      }
    }
  }
  return woken;
}

/** One that a tenant has of every time: an approval may have records when its last turn is gone; a plan and a connection need none. */
const KEPT_LONGEST = [tableOf.turn, tableOf.approval, tableOf.plan, tableOf.connection] as const;

/** Each tenant with a record before `before`, the one with the oldest first: a few rows read for each tenant, by index. */
async function oldestOfTenants(db: D1Database, before: number): Promise<{ tenant: string; oldest: number }[]> {
  const select = (table: AuditTable) =>
    db
      .prepare(
        `WITH RECURSIVE tenants (tenant) AS (
           SELECT MIN(tenant) FROM ${table}
           UNION ALL SELECT (SELECT MIN(t.tenant) FROM ${table} t WHERE t.tenant > tenants.tenant) FROM tenants
           WHERE tenants.tenant IS NOT NULL)
         SELECT tenant, (SELECT MIN(at) FROM ${table} t WHERE t.tenant = tenants.tenant) AS oldest FROM tenants
         WHERE tenant IS NOT NULL AND oldest < ? ORDER BY oldest LIMIT ?`,
      )
      .bind(before, MAX_TENANTS);
  const found = await db.batch<{ tenant: string; oldest: number }>(KEPT_LONGEST.map(select));
  const oldest = new Map<string, number>();
  for (const row of found.flatMap(({ results }) => results)) {
    oldest.set(row.tenant, Math.min(row.oldest, oldest.get(row.tenant) ?? row.oldest));
  }
  const sorted = [...oldest].map(([tenant, at]) => ({ tenant, oldest: at })).sort((a, b) => a.oldest - b.oldest);
  return sorted.slice(0, MAX_TENANTS);
}

async function usersBefore(db: D1Database, tenant: string, before: number): Promise<string[]> {
  const select = (table: AuditTable) =>
    db
      .prepare(
        `SELECT DISTINCT user FROM
           (SELECT user FROM ${table} INDEXED BY ${table}_by_time WHERE tenant = ? AND at < ? ORDER BY at, id LIMIT ?)`,
      )
      .bind(tenant, before, ROWS);
  const found = await db.batch<{ user: string }>(KEPT_LONGEST.map(select));
  return [...new Set(found.flatMap(({ results }) => results.map(({ user }) => user)))];
}
