/**
 * Tables that index audit records: the reasons of decisions, and the turns that have a variant (`arm`). Lists and comparisons read them instead
 * of each record. No chain holds their rows. So both the writer and `verify` derive the rows from the record, in the same way.
 */
import type { SealedRecord } from "../../ports/audit-record.ts";
import type { AuditTable } from "./record-kinds.ts";

interface IndexTable {
  readonly name: string;
  /** The column with the record's id, and all columns in the order in which `derived` selects them. */
  readonly id: string;
  readonly columns: string;
  /** Selects the rows of the stored records whose ids are in the JSON list ?1. */
  readonly derived: string;
}

/** A count that the upstream reported, else NULL. @param field a constant. */
const count = (field: string) => `CASE WHEN json_type(record, '$.usage.${field}') = 'integer'
    AND json_extract(record, '$.usage.${field}') >= 0 THEN json_extract(record, '$.usage.${field}') END`;

const IDS = "(SELECT value FROM json_each(?1))";

const reasons: IndexTable = {
  name: "decision_reasons",
  id: "decision_id",
  columns: "tenant, code, at, decision_id",
  derived: `SELECT d.tenant, json_extract(reason.value, '$.code'), d.at, d.id AS decision_id
    FROM decisions d, json_each(d.record, '$.reasons') reason WHERE d.id IN ${IDS}`,
};

/** The comparison of the variants reads it. `answers` stands in older records alone. Migration 0009 repeats the query, for turns that were delivered before the table was there. */
const variants: IndexTable = {
  name: "armed_turns",
  id: "id",
  columns: `tenant, at, id, user, session, arm, begins, intent, policy, model, calls, ms, prompt, completion, total, outcome,
    stop_reason, failed`,
  derived: `SELECT tenant, at, id, user, session, arm, json_type(record, '$.detection') IS 'object'
      AND json_extract(record, '$.again') IS NULL AND json_extract(record, '$.answers') IS NULL,
    COALESCE(json_extract(record, '$.intentOpened'), json_extract(record, '$.intents[0]')), json_extract(record, '$.policy'),
    COALESCE(json_extract(record, '$.model'), ''), json_extract(record, '$.steps'),
    json_extract(record, '$.endedAt') - at, prompt, completion, COALESCE(total, prompt + completion),
    json_extract(record, '$.systemFirst.outcome'), stop_reason, json_extract(record, '$.error') IS NOT NULL
  FROM (SELECT *, ${count("prompt_tokens")} AS prompt, ${count("completion_tokens")} AS completion,
    ${count("total_tokens")} AS total FROM turns WHERE id IN ${IDS} AND arm IS NOT NULL)`,
};

const idsOf = (records: readonly SealedRecord[]): string => JSON.stringify(records.map(({ record }) => record.id));

/**
 * Statements that follow the insertion of the records, in the same transaction. A repeated delivery adds nothing.
 * @param records of `table` alone.
 */
export function indexRecords(
  db: D1Database,
  table: AuditTable,
  records: readonly SealedRecord[],
): readonly D1PreparedStatement[] {
  if (table === "decisions") return [insert(db, reasons, records)];
  const armed = records.filter(({ record }) => record.kind === "turn" && record.arm !== undefined);
  // Most turns have none.
  return armed.length === 0 ? [] : [insert(db, variants, armed)];
}

const insert = (
  db: D1Database,
  { name, columns, derived }: IndexTable,
  records: readonly SealedRecord[],
): D1PreparedStatement => db.prepare(`INSERT OR IGNORE INTO ${name} (${columns}) ${derived}`).bind(idsOf(records));

/** The first of these records whose index rows differ from the record: a row is missing, altered or added. */
export async function firstMisindexed(
  db: D1Database,
  records: readonly SealedRecord[],
): Promise<SealedRecord | undefined> {
  if (records.length === 0) return undefined;
  const ids = idsOf(records);
  const found = await db.batch<{ id: string }>(
    [reasons, variants].map((table) => db.prepare(differing(table)).bind(ids)),
  );
  const wrong = new Set(found.flatMap(({ results }) => results.map(({ id }) => id)));
  return records.find(({ record }) => wrong.has(record.id));
}

function differing({ name, id, columns, derived }: IndexTable): string {
  const stored = `SELECT ${columns} FROM ${name} WHERE ${id} IN ${IDS}`;
  const less = (one: string, other: string) => `SELECT ${id} AS id FROM (${one} EXCEPT ${other})`;
  return `${less(stored, derived)} UNION ${less(derived, stored)}`;
}
