/**
 * Rows that are made of audit records so that they can be found and compared without reading each record: the reasons of decisions,
 * and the turns that have an arm. They are in no chain. What they must be is derived from the record, when they are written and
 * when they are verified.
 */
import type { SealedRecord } from "./audit-record.ts";
import type { AuditTable } from "./audit-tables.ts";

interface IndexTable {
  readonly name: string;
  /** The id of the record, and all columns in the order in which `derived` selects them. */
  readonly id: string;
  readonly columns: string;
  /** Reads records as they are stored, those with the ids of the JSON list ?1. */
  readonly derived: string;
}

/** A count that the upstream told; NULL where it told none. Only constants come in. */
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

/** What the comparison of the arms reads. Migration 0009 has the same, for turns of before there were such rows. */
const arms: IndexTable = {
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
 * To be run with the records' own insertion. A repeated delivery adds nothing.
 * @param records of one table.
 */
export function indexRecords(
  db: D1Database,
  table: AuditTable,
  records: readonly SealedRecord[],
): readonly D1PreparedStatement[] {
  if (table === "decisions") return [insert(db, reasons, records)];
  const armed = records.filter(({ record }) => record.kind === "turn" && record.arm !== undefined);
  // Most turns have none.
  return armed.length === 0 ? [] : [insert(db, arms, armed)];
}

const insert = (
  db: D1Database,
  { name, columns, derived }: IndexTable,
  records: readonly SealedRecord[],
): D1PreparedStatement => db.prepare(`INSERT OR IGNORE INTO ${name} (${columns}) ${derived}`).bind(idsOf(records));

/** The first of these records whose rows are not what it says: one is missing, altered or too many. */
export async function firstMisindexed(
  db: D1Database,
  records: readonly SealedRecord[],
): Promise<SealedRecord | undefined> {
  if (records.length === 0) return undefined;
  const ids = idsOf(records);
  const found = await db.batch<{ id: string }>([reasons, arms].map((table) => db.prepare(differing(table)).bind(ids)));
  const wrong = new Set(found.flatMap(({ results }) => results.map(({ id }) => id)));
  return records.find(({ record }) => wrong.has(record.id));
}

function differing({ name, id, columns, derived }: IndexTable): string {
  const stored = `SELECT ${columns} FROM ${name} WHERE ${id} IN ${IDS}`;
  const less = (one: string, other: string) => `SELECT ${id} AS id FROM (${one} EXCEPT ${other})`;
  return `${less(stored, derived)} UNION ${less(derived, stored)}`;
}
