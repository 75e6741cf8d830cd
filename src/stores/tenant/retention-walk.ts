/**
 * The part of the tenant's ledger that wakes every user's object once after the retention was shortened. An object wakes alone only
 * when its oldest record expires under the retention that it knows. The walk covers the users that D1 has records of, a few per
 * alarm. It resumes where it stopped if the ledger dies.
 */
import { runWithLimit } from "../../lib/concurrency.ts";
import { describeError, log } from "../../lib/log.ts";
import { isErasure } from "../../lib/names.ts";
import type { RetentionWalkPort } from "../../ports/tenant-ledger-port.ts";
import { databaseFor, type PlacesEnv, trailShards } from "../audit/shards/shards.ts";
import { usersAfter } from "../audit/trail-owners.ts";
import { guardClient } from "../objects/guard-client.ts";
import { selectOne } from "../objects/sql-rows.ts";
import { EVERYWHERE_MS } from "../policies/policy-source.ts";
import { type GuardStubsEnv, guardStubs } from "./guard-stubs.ts";

/** One row at most. after: the last user whose object was woken. due: ms since epoch. */
export const walkTables = `
CREATE TABLE retention_walk (
  one INTEGER PRIMARY KEY CHECK (one = 1), tenant TEXT NOT NULL, after TEXT NOT NULL, due INTEGER NOT NULL
);`;

/** Users per alarm: the free plan allows 50 subrequests an invocation. */
const USERS = 40;
const AT_ONCE = 6;
const NEXT_MS = 1_000;
const RETRY_MS = 60_000;

export interface WalkEnv extends GuardStubsEnv, PlacesEnv {}

export interface RetentionWalk extends RetentionWalkPort {
  /** Wakes the next users' objects, if the walk is due. Never throws. */
  settle(now: number): Promise<void>;
  /** When the walk is due; undefined if there is none. */
  next(): number | undefined;
}

export function retentionWalk(sql: SqlStorage, env: () => WalkEnv, schedule: (at: number) => void): RetentionWalk {
  const read = () => selectOne<{ tenant: string; after: string; due: number }>(sql, "SELECT * FROM retention_walk");
  const note = (tenant: string, after: string, due: number) =>
    sql.exec("INSERT OR REPLACE INTO retention_walk (one, tenant, after, due) VALUES (1, ?, ?, ?)", tenant, after, due);

  return {
    // It starts with the first user, also if a walk is under way.
    async shortened(tenant) {
      const due = Date.now() + EVERYWHERE_MS;
      note(tenant, "", due);
      schedule(due);
    },
    next: () => read()?.due,
    async settle(now) {
      const walk = read();
      if (!walk || walk.due > now) return;
      const users = await wakeNext(env(), walk);
      // Another shortening has restarted the walk meanwhile.
      if (read()?.due !== walk.due) return;
      const last = users?.at(-1);
      if (!users) note(walk.tenant, walk.after, now + RETRY_MS);
      else if (users.length < USERS || last === undefined) sql.exec("DELETE FROM retention_walk");
      else note(walk.tenant, last, Date.now() + NEXT_MS);
    },
  };
}

/** @returns the users, in order; undefined if D1 fails. The nightly check wakes objects that cannot be reached now. */
async function wakeNext(
  env: WalkEnv,
  { tenant, after }: { readonly tenant: string; readonly after: string },
): Promise<readonly string[] | undefined> {
  try {
    const users = await usersAfter(await databaseFor(trailShards(env), tenant), tenant, { after, limit: USERS });
    const stubsOf = guardStubs(env);
    // The remains of erased records have no object: the nightly check removes them.
    const named = users.filter((user) => !isErasure(user));
    const woken = await runWithLimit(AT_ONCE, named, (user) =>
      guardClient(stubsOf({ tenant, user })).chain.checkRetention({ tenant, user }, "shortened"),
    );
    for (const result of woken) {
      if (result.status === "rejected") log("error", "object_not_woken", { tenant, ...describeError(result.reason) });
    }
    return users;
  } catch (error) {
    log("error", "retention_walk_failed", { tenant, ...describeError(error) });
    return undefined;
  }
}
