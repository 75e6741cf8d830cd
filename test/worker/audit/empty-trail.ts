/** Files share their storage, and the sweep takes the tenants whose records are oldest: others' would leave no room. */
import { env } from "cloudflare:test";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";

export async function emptyTrail(): Promise<void> {
  await env.AUDIT_DB.batch(auditTables.map((table) => env.AUDIT_DB.prepare(`DELETE FROM ${table}`)));
}
