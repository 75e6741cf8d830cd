/**
 * Erases a person's records in one database of the hot index: only each record's place in the chain is left, under the erasure's
 * name, in the transaction that deletes it. By pages, so that any number can be erased.
 */
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { DAY_MS } from "../../../lib/time.ts";
import type { AuditRecord, SealedRecord } from "../../../ports/audit-record.ts";
import type { Owner } from "../../../session/principal.ts";
import { eraseSealed, isSigned, signCheckpoint } from "../audit-chain.ts";
import type { AuditKeys } from "../audit-keys.ts";
import { insertRecords, type KeyedRow, keyList, ROWS_BY_KEY, readPageOf } from "../d1-audit.ts";
import { type CheckpointRow, checkpointOf, checkpointRow } from "../d1-retention.ts";
import { type AuditTable, type RecordKind, recordKinds } from "../record-kinds.ts";

/** The records of an erasure: those from `after` on that are older than `before`. */
export interface ErasedRecords extends Owner {
  /** The name of the erasure. */
  readonly erasure: string;
  readonly after: number;
  readonly before: number;
}

/** Per page: D1 takes some dozen statements a batch. */
const ROWS = 128;

/** @returns how many records of this page were erased; 0 if none was left. Rejects if D1 fails. */
export async function eraseRows(db: D1Database, keys: AuditKeys, erased: ErasedRecords): Promise<number> {
  for (const [kind, { table }] of Object.entries(recordKinds) as [RecordKind, { table: AuditTable }][]) {
    if (kind === "erased") continue;
    const rows = await readRows(db, table, erased);
    if (rows.length === 0) continue;
    const left = rows.map((row) => eraseSealed(keys, sealedIn(row, kind, erased), erased.erasure));
    await db.batch([
      ...insertRecords(db, "erased_records", left),
      db.prepare(`DELETE FROM ${table} WHERE ${ROWS_BY_KEY}`).bind(erased.tenant, keyList(rows)),
    ]);
    return rows.length;
  }
  return eraseCheckpoint(db, keys, erased);
}

async function readRows(
  db: D1Database,
  table: AuditTable,
  { tenant, user, after, before }: ErasedRecords,
): Promise<readonly KeyedRow[]> {
  const sized = db
    .prepare(
      `SELECT id, at, LENGTH(record) AS units FROM ${table} INDEXED BY ${table}_by_chain
       WHERE tenant = ? AND user = ? AND at >= ? AND at < ? LIMIT ${ROWS}`,
    )
    .bind(tenant, user, after, before);
  return (await readPageOf(db, table, tenant, sized)).rows;
}

/** If a text is not what the gateway wrote, only the columns are known: it counts as altered. */
function sealedIn({ id, seq, previous, hash, key_id: keyId, record, at }: KeyedRow, kind: RecordKind, owner: Owner) {
  const altered = { kind, id, tenant: owner.tenant, user: owner.user, at } as AuditRecord;
  const sealed = (of: AuditRecord): SealedRecord => ({ seq, previous, hash, keyId, record: of });
  try {
    const read = JSON.parse(record) as AuditRecord;
    return sealed(canonicalJson(read) === record ? read : altered);
  } catch {
    return sealed(altered);
  }
}

/** The checkpoint that retention left belongs to the erased chain too. */
async function eraseCheckpoint(
  db: D1Database,
  keys: AuditKeys,
  { tenant, user, erasure, before }: ErasedRecords,
): Promise<number> {
  const row = await db
    .prepare("SELECT * FROM checkpoints WHERE tenant = ? AND user = ? AND at < ?")
    // No chain has a checkpoint within its first day: one of this time belongs to the chain that was erased.
    .bind(tenant, user, before + DAY_MS)
    .first<CheckpointRow>();
  if (row === null) return 0;
  const checkpoint = checkpointOf(row);
  await db.batch([
    db.prepare("DELETE FROM checkpoints WHERE tenant = ? AND user = ? AND at = ?").bind(tenant, user, row.at),
    // A checkpoint that the gateway did not sign says nothing.
    ...(isSigned(keys, checkpoint) ? [checkpointRow(db, signCheckpoint(keys, { ...checkpoint, user: erasure }))] : []),
  ]);
  return 1;
}
