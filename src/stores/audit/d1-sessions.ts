/** The sessions of a tenant's trail in D1, by their last turn. */
import { isOutcome, type Outcomes, outcomesOf } from "./call-outcome.ts";
import type { AuditReader } from "./shards/shards.ts";

/** The number of last turns: all of them are read. */
const TURNS = 5_000;

interface SessionsQuery {
  readonly user?: string | undefined;
  readonly limit: number;
  /** The session that the page begins after. */
  readonly after?: string | undefined;
}

interface RecordedSession {
  readonly id: string;
  readonly user: string;
  /** Milliseconds since the epoch: its first and last turn among those that were read. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly turns: number;
  /** From the last turn. */
  readonly stopReason: string;
  readonly role: string;
  readonly intents: readonly string[];
  readonly effects: Outcomes;
}

interface SessionRow extends Omit<RecordedSession, "intents" | "effects"> {
  /** JSON. */
  readonly intents: string;
}

// SQLite takes the columns of the last turn from the row that has the maximum.
const SESSIONS = (index: string, where: string) => `SELECT session AS id, user, MIN(at) AS firstAt, COUNT(*) AS turns,
  stop_reason AS stopReason, json_extract(record, '$.role') AS role, json_extract(record, '$.intents') AS intents, MAX(at) AS lastAt
  FROM (SELECT * FROM turns INDEXED BY ${index} WHERE tenant = ?1 ${where} AND seq > 0 ORDER BY at DESC, id DESC LIMIT ${TURNS})
  GROUP BY user, session`;

const EFFECTS = `SELECT session, user, effect, COUNT(*) AS calls FROM decisions d INDEXED BY decisions_by_session
  WHERE tenant = ?1 AND session IN (SELECT value FROM json_each(?2)) AND ${isOutcome("d")} GROUP BY session, user, effect`;

/** The last first, and one more than `limit` if there are more. */
export async function querySessions(
  db: AuditReader,
  tenant: string,
  { user, limit, after }: SessionsQuery,
): Promise<readonly RecordedSession[]> {
  const [index, where] = user === undefined ? ["turns_by_time", ""] : ["turns_by_user", "AND user = ?2"];
  const owner = user === undefined ? [tenant] : [tenant, user];
  const { results } = await db
    .prepare(`SELECT * FROM (${SESSIONS(index, where)}) ORDER BY lastAt DESC, id DESC`)
    .bind(...owner)
    .all<SessionRow>();
  const from = after === undefined ? 0 : results.findIndex(({ id }) => id === after) + 1;
  const page = results.slice(from, from + limit + 1);
  const counted = await db
    .prepare(EFFECTS)
    .bind(tenant, JSON.stringify(page.map(({ id }) => id)))
    .all<{ session: string; user: string; effect: keyof Outcomes; calls: number }>();
  return page.map(({ intents, ...session }) => {
    const effects = outcomesOf(
      counted.results.filter((one) => one.session === session.id && one.user === session.user),
    );
    return { ...session, intents: JSON.parse(intents) as string[], effects };
  });
}
