/** What the comparison of the arms reads of each turn that has one. */
import type { SealedRecord } from "./audit-record.ts";

/** A count that the upstream told; NULL where it told none. Only constants come in. */
const told = (field: string) => `CASE WHEN json_type(record, '$.usage.${field}') = 'integer'
    AND json_extract(record, '$.usage.${field}') >= 0 THEN json_extract(record, '$.usage.${field}') END`;

/**
 * Reads the rows as they are stored, so that a repeated delivery adds none.
 * @returns none where no turn has an arm, as most have not.
 */
export function indexArms(db: D1Database, turns: readonly SealedRecord[]): readonly D1PreparedStatement[] {
  const armed = turns.flatMap(({ record }) => (record.kind === "turn" && record.arm !== undefined ? [record.id] : []));
  if (armed.length === 0) return [];
  const statement = db.prepare(
    `INSERT OR IGNORE INTO armed_turns (tenant, at, id, user, session, arm, begins, intent, policy, model, calls, ms,
       prompt, completion, total, outcome, stop_reason, failed)
     SELECT tenant, at, id, user, session, arm, json_type(record, '$.detection') IS 'object'
         AND json_extract(record, '$.again') IS NULL AND json_extract(record, '$.answers') IS NULL,
       COALESCE(json_extract(record, '$.intentOpened'), json_extract(record, '$.intents[0]')), json_extract(record, '$.policy'),
       COALESCE(json_extract(record, '$.model'), ''), json_extract(record, '$.steps'),
       json_extract(record, '$.endedAt') - at, prompt, completion, COALESCE(total, prompt + completion),
       json_extract(record, '$.systemFirst.outcome'), stop_reason, json_extract(record, '$.error') IS NOT NULL
     FROM (SELECT *, ${told("prompt_tokens")} AS prompt, ${told("completion_tokens")} AS completion,
       ${told("total_tokens")} AS total FROM turns WHERE id IN (${armed.map(() => "?").join(", ")}))`,
  );
  return [statement.bind(...armed)];
}
