/**
 * The part of the tenant's ledger that tells every user's object once that records are kept for less time than before: an object
 * wakes when its oldest record's time is over, and knows of no shorter time before. It walks through the users that D1 has
 * records of, a few at a ring of the alarm, and goes on where it was if the object dies.
 */
import { describeError } from "../../lib/describe-error.ts";
import { lengthPrefixed } from "../../lib/digest.ts";
import { log } from "../../lib/log.ts";
import { settleFew } from "../../lib/settle-few.ts";
import { type AuditTable, keptLongest } from "../audit-tables.ts";
import { EVERYWHERE_MS } from "../policy-pointer.ts";
import type { UserGuard } from "../user-guard.ts";

/** One row at most: `after` is the last user that was told. due: ms since epoch. */
export const walkTables = `
CREATE TABLE retention_walk (
  one INTEGER PRIMARY KEY CHECK (one = 1), tenant TEXT NOT NULL, after TEXT NOT NULL, due INTEGER NOT NULL
);`;

/** Users of one ring: the free plan allows 50 subrequests an invocation. */
const USERS = 40;
const AT_ONCE = 6;
const NEXT_MS = 1_000;
const RETRY_MS = 60_000;

export interface RetentionWalkPort {
  /** Resolves once it is stored that every user's object is to be told. */
  retentionShortened(tenant: string): Promise<void>;
}

export interface WalkEnv {
  readonly AUDIT_DB: D1Database;
  readonly USER_GUARD: DurableObjectNamespace<UserGuard>;
}

export interface RetentionWalk {
  /** From the first user on, also where a walk is under way, once every object can read the policy that was put. */
  begin(tenant: string, now: number): void;
  /** Tells the next users, if it is time. Never throws. */
  settle(now: number): Promise<void>;
  /** When the alarm must ring for it; undefined where there is no walk. */
  next(): number | undefined;
}

export function retentionWalk(sql: SqlStorage, env: () => WalkEnv): RetentionWalk {
  const read = () =>
    sql.exec<{ tenant: string; after: string; due: number }>("SELECT * FROM retention_walk").toArray()[0];
  const note = (tenant: string, after: string, due: number) =>
    sql.exec("INSERT OR REPLACE INTO retention_walk (one, tenant, after, due) VALUES (1, ?, ?, ?)", tenant, after, due);

  return {
    begin: (tenant, now) => void note(tenant, "", now + EVERYWHERE_MS),
    next: () => read()?.due,
    async settle(now) {
      const walk = read();
      if (!walk || walk.due > now) return;
      const users = await tellNext(env(), walk);
      // Begun anew in the meantime.
      if (read()?.due !== walk.due) return;
      const last = users?.at(-1);
      if (!users) note(walk.tenant, walk.after, now + RETRY_MS);
      else if (users.length < USERS || last === undefined) sql.exec("DELETE FROM retention_walk");
      else note(walk.tenant, last, Date.now() + NEXT_MS);
    },
  };
}

/** @returns who was told, in order; undefined where D1 fails. An object that cannot be reached is left to the nightly sweep. */
async function tellNext(
  { AUDIT_DB: db, USER_GUARD: guards }: WalkEnv,
  { tenant, after }: { readonly tenant: string; readonly after: string },
): Promise<readonly string[] | undefined> {
  try {
    const users = await usersAfter(db, tenant, after);
    const told = await settleFew(AT_ONCE, users, (user) =>
      guards.get(guards.idFromName(lengthPrefixed(tenant, user))).wake({ tenant, user }, "shortened"),
    );
    for (const one of told) {
      if (one.status === "rejected") log("error", "object_not_woken", { tenant, ...describeError(one.reason) });
    }
    return users;
  } catch (error) {
    log("error", "retention_walk_failed", { tenant, ...describeError(error) });
    return undefined;
  }
}

/** In the database's order, a few rows read for each user, by index. */
async function usersAfter(db: D1Database, tenant: string, after: string): Promise<readonly string[]> {
  const of = (table: AuditTable) => `of_${table} (user) AS (
      SELECT MIN(user) FROM ${table} WHERE tenant = ?1 AND user > ?2
      UNION ALL SELECT (SELECT MIN(t.user) FROM ${table} t WHERE t.tenant = ?1 AND t.user > of_${table}.user) FROM of_${table}
      WHERE of_${table}.user IS NOT NULL LIMIT ?3)`;
  const { results } = await db
    .prepare(
      `WITH RECURSIVE ${keptLongest.map(of).join(", ")},
       users AS (${keptLongest.map((table) => `SELECT user FROM of_${table}`).join(" UNION ")})
       SELECT user FROM users WHERE user IS NOT NULL ORDER BY user LIMIT ?3`,
    )
    .bind(tenant, after, USERS)
    .all<{ user: string }>();
  return results.map(({ user }) => user);
}
