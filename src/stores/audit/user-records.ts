/** All audit records of one user that are in the database, oldest first. */
import type { Owner } from "../../session/principal.ts";
import { auditTables } from "./record-kinds.ts";

/** As it is stored: `kind` says which. */
export type StoredRecord = { readonly kind: string; readonly at: number } & Readonly<Record<string, unknown>>;

export async function readRecords(db: D1Database, { tenant, user }: Owner): Promise<readonly StoredRecord[]> {
  const tables = auditTables.map((table) => `SELECT seq, record, tenant, user FROM ${table}`).join(" UNION ALL ");
  const { results } = await db
    .prepare(`SELECT record FROM (${tables}) WHERE tenant = ? AND user = ? ORDER BY seq`)
    .bind(tenant, user)
    .all<{ record: string }>();
  return results.map(({ record }) => JSON.parse(record) as StoredRecord);
}
