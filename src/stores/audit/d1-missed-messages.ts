/** Messages that no intent matched and for which the model named one, in a tenant's last turns. Only some policies keep them. */
import type { AuditReader } from "./shards/shards.ts";

/** Reads at most this many recent turns: each record is several KB. */
const TURNS = 2_000;
const MAX_MESSAGES = 50;

interface MissedMessage {
  readonly message: string;
  /** The intent that the model named. */
  readonly intent: string;
  readonly turns: number;
  readonly users: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** The most frequent first. */
export async function queryMissedMessages(db: AuditReader, tenant: string): Promise<readonly MissedMessage[]> {
  const { results } = await db
    .prepare(
      `WITH recent AS (SELECT record, user, at FROM turns WHERE tenant = ?1 ORDER BY at DESC, id DESC LIMIT ${TURNS}),
       missed AS (
         SELECT json_extract(record, '$.detection.message') AS message, value AS intent, user, at
         FROM recent, json_each(record, '$.intents'))
       SELECT message, intent, COUNT(*) AS turns, COUNT(DISTINCT user) AS users, MAX(at) AS lastAt
       FROM missed WHERE typeof(message) = 'text' AND typeof(intent) = 'text'
       GROUP BY message, intent ORDER BY turns DESC, lastAt DESC LIMIT ${MAX_MESSAGES}`,
    )
    .bind(tenant)
    .all<MissedMessage>();
  return results;
}
