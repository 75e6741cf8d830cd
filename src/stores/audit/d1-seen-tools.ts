/** Tools of a tenant's recorded turns: how often they came, from which users, and since when. */
import { withTimeout } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { AskAudit, AuditReader } from "./shards/shards.ts";

/** Reads at most this many recent turns: each record is several KB. */
const TURNS = 1_000;
/** For names alone, which a write of a policy waits for. */
export const NAMED_TURNS = 50;
const ANSWER_MS = 5_000;
const MAX_NAMES = 500;
const MAX_USERS = 5;

export interface SeenTool {
  readonly name: string;
  readonly turns: number;
  readonly withheld: number;
  /** How many users, and some of them. */
  readonly users: number;
  readonly by: readonly string[];
  /** Milliseconds since the epoch, within the turns that were read. */
  readonly firstAt: number;
  readonly lastAt: number;
}

interface SeenRow extends Omit<SeenTool, "by"> {
  readonly named: string;
}

/** The most frequent first. */
export async function queryToolsSeen(db: AuditReader, tenant: string, turns = TURNS): Promise<readonly SeenTool[]> {
  const { results } = await db
    .prepare(
      `WITH recent AS (SELECT record, user, at FROM turns WHERE tenant = ?1 ORDER BY at DESC, id DESC LIMIT ?2),
       seen AS (
         SELECT value AS name, user, at, 0 AS withheld FROM recent, json_each(record, '$.offered')
         UNION ALL
         SELECT json_extract(value, '$.name'), user, at, 1 FROM recent, json_each(record, '$.withheld'))
       SELECT name, COUNT(*) AS turns, SUM(withheld) AS withheld, COUNT(DISTINCT user) AS users,
         json_group_array(DISTINCT user) AS named, MIN(at) AS firstAt, MAX(at) AS lastAt
       FROM seen WHERE typeof(name) = 'text' GROUP BY name ORDER BY turns DESC, name LIMIT ${MAX_NAMES}`,
    )
    .bind(tenant, turns)
    .all<SeenRow>();
  return results.map(({ named, ...tool }) => ({ ...tool, by: (JSON.parse(named) as string[]).slice(0, MAX_USERS) }));
}

/** Names alone, in alphabetical order; none if D1 fails or is slow: they only add detail to a comparison. */
export async function seenToolsIfKnown(audit: AskAudit, tenant: string): Promise<readonly string[]> {
  try {
    const read = audit(tenant, (db) => queryToolsSeen(db, tenant, NAMED_TURNS));
    return (await withTimeout(ANSWER_MS, read)).map(({ name }) => name).sort();
  } catch (error) {
    log("warn", "seen_tools_unreadable", describeError(error));
    return [];
  }
}
