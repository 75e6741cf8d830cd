/** A row of the audit trail's tables, read. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { AuditRecord, SealedRecord } from "../../ports/audit-record.ts";

export interface AuditRow {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly key_id: string;
  readonly record: string;
}

/** The record is the writer's own canonical JSON, so its shape is taken as given; whether it was altered is for the chain. */
export function readRow<R extends AuditRecord>({ seq, previous, hash, key_id, record }: AuditRow): SealedRecord<R> {
  return { seq, previous, hash, keyId: key_id, record: JSON.parse(record) as R };
}

/**
 * For the chain a text that is not, byte for byte, what the writer wrote is no record, and nobody's: one that holds
 * a key twice means one thing to us and another to the columns that lists are filtered by.
 */
export function readLink(row: AuditRow): SealedRecord {
  try {
    const sealed = readRow<AuditRecord>(row);
    if (canonicalJson(sealed.record) === row.record) return sealed;
  } catch {
    // SQLite reads JSON5 too.
  }
  return readRow({ ...row, record: "{}" });
}
