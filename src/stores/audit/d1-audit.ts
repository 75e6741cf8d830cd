/**
 * The audit trail in D1. Delivery is at least once and in any order: a record's id is its key, the first delivery stays,
 * and a repeated one changes nothing. A batch is a transaction: it is delivered whole or not at all.
 */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { SealedRecord } from "../../ports/audit-record.ts";
import { indexRecords } from "./audit-index.ts";
import { type AuditTable, auditTables, recordKinds } from "./record-kinds.ts";

/** D1 takes 100 bound parameters a statement; a row has 6. */
const rowsPerStatement = 16;
/** Keeps a batch to some dozen statements: the free plan allows 50 an invocation. */
const recordsPerBatch = 128;

/**
 * Writes records; throws where D1 fails, and may then be called again with the same ones. D1 refuses a record of more than
 * 2 MB: the writer of a record bounds its arguments.
 */
export async function deliverRecords(db: D1Database, records: readonly SealedRecord[]): Promise<void> {
  for (const some of chunks(records, recordsPerBatch)) {
    const inserts = auditTables.flatMap((table) => {
      const own = some.filter(({ record }) => recordKinds[record.kind].table === table);
      return chunks(own, rowsPerStatement).flatMap((rows) => [
        insert(db, table, rows),
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

/** No conflict but that of the id is passed over: anything else must fail, or a record would be lost in silence. */
function insert(db: D1Database, table: AuditTable, rows: readonly SealedRecord[]): D1PreparedStatement {
  const values = rows.map(() => "(?, ?, ?, ?, ?, ?)").join(", ");
  return db
    .prepare(
      `INSERT INTO ${table} (id, seq, previous, hash, key_id, record) VALUES ${values} ON CONFLICT (id) DO NOTHING`,
    )
    .bind(
      ...rows.flatMap((row) => [row.record.id, row.seq, row.previous, row.hash, row.keyId, canonicalJson(row.record)]),
    );
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
