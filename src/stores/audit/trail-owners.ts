/** Who has records in a database of the hot index. Reads a few rows for each, by index. */
import { type AuditTable, namesInTables, TENANTS_OF_TABLES, tablesOfEveryUser } from "./record-kinds.ts";

/** Records that are looked at for users: the others of a tenant are found once theirs are removed. */
const ROWS = 1_000;

/** By name. */
export async function tenantsIn(db: D1Database): Promise<readonly string[]> {
  const { results } = await db
    .prepare(
      `WITH RECURSIVE ${TENANTS_OF_TABLES}
       SELECT tenant FROM (${namesInTables("tenant")})
       WHERE tenant IS NOT NULL ORDER BY tenant`,
    )
    .all<{ tenant: string }>();
  return results.map(({ tenant }) => tenant);
}

/** Those with the oldest records before `before`. */
export async function usersBefore(db: D1Database, tenant: string, before: number): Promise<readonly string[]> {
  const select = (table: AuditTable) =>
    db
      .prepare(
        `SELECT DISTINCT user FROM
           (SELECT user FROM ${table} INDEXED BY ${table}_by_time WHERE tenant = ? AND at < ? ORDER BY at, id LIMIT ?)`,
      )
      .bind(tenant, before, ROWS);
  const found = await db.batch<{ user: string }>(tablesOfEveryUser.map(select));
  return [...new Set(found.flatMap(({ results }) => results.map(({ user }) => user)))];
}
