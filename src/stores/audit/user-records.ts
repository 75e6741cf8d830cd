/** All audit records of one user that are in the database, oldest first. */
import type { StoredRecord } from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import { auditTables } from "./record-kinds.ts";
import type { AuditReader } from "./shards.ts";

export async function readRecords(db: AuditReader, { tenant, user }: Owner): Promise<readonly StoredRecord[]> {
  const tables = auditTables.map((table) => `SELECT seq, record, tenant, user FROM ${table}`).join(" UNION ALL ");
  const { results } = await db
    .prepare(`SELECT record FROM (${tables}) WHERE tenant = ? AND user = ? ORDER BY seq`)
    .bind(tenant, user)
    .all<{ record: string }>();
  return results.map(({ record }) => JSON.parse(record) as StoredRecord);
}
