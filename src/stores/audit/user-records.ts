/** All audit records of one user that are in the database, oldest first. */
import type { StoredRecord } from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import { type AuditTable, auditTables } from "./record-kinds.ts";
import type { AuditReader } from "./shards/shards.ts";

export async function readRecords(db: AuditReader, { tenant, user }: Owner): Promise<readonly StoredRecord[]> {
  const of = (table: AuditTable) =>
    db.prepare(`SELECT seq, record FROM ${table} WHERE tenant = ? AND user = ?`).bind(tenant, user);
  // Not in one statement: D1 takes five terms in a compound SELECT.
  const found = await db.batch<{ readonly seq: number; readonly record: string }>(auditTables.map(of));
  const rows = found.flatMap(({ results }) => results).sort((one, other) => one.seq - other.seq);
  return rows.map(({ record }) => JSON.parse(record) as StoredRecord);
}
