/** The users with records in a database of the hot index. Reads a few rows for each, by index. */
import { type AuditTable, namesInTables, TENANTS_OF_TABLES, tablesOfEveryUser } from "./record-kinds.ts";
import type { AuditReader } from "./shards/shards.ts";

/** How many records are searched for users: the others of a tenant are found once these are removed. */
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

/** Users with the oldest records before `before`. */
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

/** All users with records, in the database's order. Reads a few rows per user, by index. */
export async function usersAfter(
  db: AuditReader,
  tenant: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const of = (table: AuditTable) => `of_${table} (user) AS (
      SELECT MIN(user) FROM ${table} WHERE tenant = ?1 AND user > ?2
      UNION ALL SELECT (SELECT MIN(t.user) FROM ${table} t WHERE t.tenant = ?1 AND t.user > of_${table}.user) FROM of_${table}
      WHERE of_${table}.user IS NOT NULL LIMIT ?3)`;
  const { results } = await db
    .prepare(
      `WITH RECURSIVE ${tablesOfEveryUser.map(of).join(", ")},
       users AS (${namesInTables("user")})
       SELECT user FROM users WHERE user IS NOT NULL ORDER BY user LIMIT ?3`,
    )
    .bind(tenant, after, limit)
    .all<{ user: string }>();
  return results.map(({ user }) => user);
}
