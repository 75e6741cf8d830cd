/** Tools of a tenant's recorded turns: how often they came, by whom, and since when. */
import type { AuditReader } from "./shards/shards.ts";

/** Reads at most this many recent turns: each record is several KB. */
const TURNS = 1_000;
const MAX_NAMES = 500;
const MAX_USERS = 5;

interface SeenTool {
  readonly name: string;
  readonly turns: number;
  readonly withheld: number;
  /** How many users, and some of them. */
  readonly users: number;
  readonly by: readonly string[];
  /** Milliseconds since the epoch, in the turns that were looked at. */
  readonly firstAt: number;
  readonly lastAt: number;
}

interface SeenRow extends Omit<SeenTool, "by"> {
  readonly named: string;
}

/** The most frequent first. */
export async function queryToolsSeen(db: AuditReader, tenant: string): Promise<readonly SeenTool[]> {
  const { results } = await db
    .prepare(
      `WITH recent AS (SELECT record, user, at FROM turns WHERE tenant = ?1 ORDER BY at DESC, id DESC LIMIT ${TURNS}),
       seen AS (
         SELECT value AS name, user, at, 0 AS withheld FROM recent, json_each(record, '$.offered')
         UNION ALL
         SELECT json_extract(value, '$.name'), user, at, 1 FROM recent, json_each(record, '$.withheld'))
       SELECT name, COUNT(*) AS turns, SUM(withheld) AS withheld, COUNT(DISTINCT user) AS users,
         json_group_array(DISTINCT user) AS named, MIN(at) AS firstAt, MAX(at) AS lastAt
       FROM seen WHERE typeof(name) = 'text' GROUP BY name ORDER BY turns DESC, name LIMIT ${MAX_NAMES}`,
    )
    .bind(tenant)
    .all<SeenRow>();
  return results.map(({ named, ...tool }) => ({ ...tool, by: (JSON.parse(named) as string[]).slice(0, MAX_USERS) }));
}
