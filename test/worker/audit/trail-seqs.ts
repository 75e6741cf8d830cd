/** Where the records of a tenant with one user stand in the chain, in order: D1 takes not all tables in one statement. */
import { env } from "cloudflare:test";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";

export async function trailSeqs(tenant: string): Promise<number[]> {
  const select = (table: string) => env.AUDIT_DB.prepare(`SELECT seq FROM ${table} WHERE tenant = ?`).bind(tenant);
  const found = await env.AUDIT_DB.batch<{ seq: number }>(auditTables.map(select));
  return found.flatMap(({ results }) => results.map(({ seq }) => seq)).sort((one, other) => one - other);
}
