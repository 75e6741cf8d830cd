/** A real D1 in workerd, with the migrations as wrangler would apply them. */
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import type { AskAudit, AuditReader } from "../../../src/stores/audit/shards/shards.ts";

/** For what asks the database of a tenant. */
export const askOf =
  (db: AuditReader): AskAudit =>
  (_tenant, ask) =>
    ask(db);

export interface TestDatabase {
  readonly db: D1Database;
  /** Deletes every record. */
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

export async function openDatabase(): Promise<TestDatabase> {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      compatibilityDate: "2026-10-01",
      d1Databases: ["AUDIT_DB"],
    }),
  );
  const db: D1Database = await mf.getD1Database("AUDIT_DB");
  for (const { queries } of await readD1Migrations("src/stores/migrations")) {
    for (const query of queries) await db.prepare(query).run();
  }
  return {
    db,
    clear: async () => {
      await db.batch(auditTables.map((table) => db.prepare(`DELETE FROM ${table}`)));
    },
    dispose: () => mf.dispose(),
  };
}
