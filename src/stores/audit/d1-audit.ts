/**
 * The audit trail in D1. Delivery is at least once and in any order: a record has one key, the first delivery stays, and a repeated
 * one changes nothing. A batch is a transaction: it is delivered whole or not at all.
 */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { SealedRecord } from "../../ports/audit-record.ts";
import { type AuditTable, auditTables, recordKinds } from "./record-kinds.ts";

/** D1 takes 100 bound parameters per statement; a row has 6. */
const rowsPerStatement = 16;
/** Keeps a batch to some dozen statements: the free plan allows 50 per invocation. */
const recordsPerBatch = 128;

/**
 * Writes records; throws if D1 fails, and may then be called again with the same ones. D1 refuses a record of more than 2 MB: the
 * writer of a record bounds its arguments.
 */
export async function deliverRecords(db: D1Database, records: readonly SealedRecord[]): Promise<void> {
  for (const some of chunks(records, recordsPerBatch)) {
    const inserts = auditTables.flatMap((table) => {
      const own = some.filter(({ record }) => recordKinds[record.kind].table === table);
      return chunks(own, rowsPerStatement).flatMap((rows) => [
        insert(db, table, rows.map(rowOf)),
        ...indexRecords(db, table, rows),
      ]);
    });
    await db.batch(inserts);
  }
}

/** Whether D1 failed because the database, or the account, has no room for more. */
export function isDatabaseFull(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /Exceeded maximum (DB size|account storage)|SQLITE_FULL|database or disk is full/i.test(message);
}

/** A record as a database has it, altered or not. */
export interface StoredRow {
  readonly id: string;
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly key_id: string;
  readonly record: string;
}

/** The key of a tenant's record in every table: some have no index by the id alone. */
export type RowKey = Pick<StoredRow, "id"> & { readonly at: number };

/** The rows of a tenant whose keys are in a JSON list (`keyList`). */
export const ROWS_BY_KEY = "tenant = ? AND (at, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))";

export type KeyedRow = StoredRow & RowKey;

/** UTF-16 units of records per page: each may have 2 MB. */
const PAGE_UNITS = 1024 * 1024;

/**
 * @param sized selects `id`, `at` and the length of the record as `units`. @returns the first of those rows, at least one if there is
 * one.
 */
export async function readPageOf(
  db: D1Database,
  table: AuditTable,
  tenant: string,
  sized: D1PreparedStatement,
): Promise<{ readonly rows: readonly KeyedRow[]; readonly last: RowKey | undefined }> {
  const found = await sized.all<RowKey & { readonly units: number }>();
  let units = 0;
  const some = found.results.filter((row, index) => {
    units += row.units;
    return index === 0 || units <= PAGE_UNITS;
  });
  if (some.length === 0) return { rows: [], last: undefined };
  const { results: rows } = await db
    .prepare(`SELECT id, seq, previous, hash, key_id, record, at FROM ${table} WHERE ${ROWS_BY_KEY}`)
    .bind(tenant, keyList(some))
    .all<KeyedRow>();
  return { rows, last: some.at(-1) };
}

export const keyList = (rows: readonly RowKey[]): string => JSON.stringify(rows.map(({ at, id }) => [at, id]));

const rowOf = ({ record, seq, previous, hash, keyId }: SealedRecord): StoredRow => ({
  id: record.id,
  seq,
  previous,
  hash,
  key_id: keyId,
  record: canonicalJson(record),
});

/** Writes rows of one table unchanged from another database, with their index rows. */
export async function insertStored(
  db: D1Database,
  tenant: string,
  table: AuditTable,
  rows: readonly (StoredRow & RowKey)[],
): Promise<void> {
  const keys = JSON.stringify(rows.map(({ at, id }) => [tenant, at, id]));
  const indexes = table === "decisions" ? [reasons] : table === "turns" ? [variants] : [];
  await db.batch([
    ...chunks(rows, rowsPerStatement).map((some) => insert(db, table, some)),
    ...indexes.map((index) => insertIndex(db, index, keys)),
  ]);
}

/** Statements that write records of one table that has no index tables. */
export const insertRecords = (
  db: D1Database,
  table: AuditTable,
  records: readonly SealedRecord[],
): readonly D1PreparedStatement[] =>
  chunks(records.map(rowOf), rowsPerStatement).map((rows) => insert(db, table, rows));

/**
 * A table has one unique key, and only a conflict of the same record is ignored: any other broken constraint fails, or a record would
 * be lost silently.
 */
function insert(db: D1Database, table: AuditTable, rows: readonly StoredRow[]): D1PreparedStatement {
  const values = rows.map(() => "(?, ?, ?, ?, ?, ?)").join(", ");
  return db
    .prepare(`INSERT INTO ${table} (id, seq, previous, hash, key_id, record) VALUES ${values} ON CONFLICT DO NOTHING`)
    .bind(...rows.flatMap(({ id, seq, previous, hash, key_id, record }) => [id, seq, previous, hash, key_id, record]));
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

interface IndexTable {
  readonly name: string;
  /** The column with the record's id, and all columns in the order in which `derived` selects them. */
  readonly id: string;
  readonly columns: string;
  /** Selects the rows of the stored records that the JSON list ?1 names: tenant, time and id of each. */
  readonly derived: string;
}

/** A count that the upstream reported, else NULL. @param field a constant. */
const count = (field: string) => `CASE WHEN json_type(record, '$.usage.${field}') = 'integer'
    AND json_extract(record, '$.usage.${field}') >= 0 THEN json_extract(record, '$.usage.${field}') END`;

/** SQLite keeps the order of the tables of a CROSS JOIN: otherwise it may read all records of the tenant. */
const named = (table: AuditTable) =>
  `json_each(?1) k CROSS JOIN ${table} t INDEXED BY ${table}_by_time
    ON t.tenant = k.value ->> 0 AND t.at = k.value ->> 1 AND t.id = k.value ->> 2`;
const IDS = "(SELECT value ->> 2 FROM json_each(?1))";

const reasons: IndexTable = {
  name: "decision_reasons",
  id: "decision_id",
  columns: "tenant, code, at, decision_id",
  derived: `SELECT t.tenant, json_extract(reason.value, '$.code'), t.at, t.id AS decision_id
    FROM ${named("decisions")}, json_each(t.record, '$.reasons') reason`,
};

/** Read by the comparison of the variants. Only older records have `answers`. Migration 0009 repeats the query for older turns. */
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
  FROM (SELECT t.*, ${count("prompt_tokens")} AS prompt, ${count("completion_tokens")} AS completion,
    ${count("total_tokens")} AS total FROM ${named("turns")} WHERE t.arm IS NOT NULL)`,
};

const keysOf = (records: readonly SealedRecord[]): string =>
  JSON.stringify(records.map(({ record: { tenant, at, id } }) => [tenant, at, id]));

/**
 * Statements that follow the insertion of the records, in the same transaction. A repeated delivery adds nothing.
 * @param records of `table` only.
 */
function indexRecords(
  db: D1Database,
  table: AuditTable,
  records: readonly SealedRecord[],
): readonly D1PreparedStatement[] {
  if (table === "decisions") return [insertIndex(db, reasons, keysOf(records))];
  const armed = records.filter(({ record }) => record.kind === "turn" && record.arm !== undefined);
  // Most turns have none.
  return armed.length === 0 ? [] : [insertIndex(db, variants, keysOf(armed))];
}

const insertIndex = (db: D1Database, { name, columns, derived }: IndexTable, keys: string): D1PreparedStatement =>
  db.prepare(`INSERT OR IGNORE INTO ${name} (${columns}) ${derived}`).bind(keys);

/** The first of these records whose index rows differ from the record: a row is missing, altered or added. */
export async function firstMisindexed(
  db: D1Database,
  records: readonly SealedRecord[],
): Promise<SealedRecord | undefined> {
  if (records.length === 0) return undefined;
  const keys = keysOf(records);
  const found = await db.batch<{ id: string }>(
    [reasons, variants].map((table) => db.prepare(differing(table)).bind(keys)),
  );
  const wrong = new Set(found.flatMap(({ results }) => results.map(({ id }) => id)));
  return records.find(({ record }) => wrong.has(record.id));
}

function differing({ name, id, columns, derived }: IndexTable): string {
  const stored = `SELECT ${columns} FROM ${name} WHERE ${id} IN ${IDS}`;
  const less = (one: string, other: string) => `SELECT ${id} AS id FROM (${one} EXCEPT ${other})`;
  return `${less(stored, derived)} UNION ${less(derived, stored)}`;
}
