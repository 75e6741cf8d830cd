/** The audit trail's D1 in workerd. */
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import type { AskAudit, AuditReader } from "../../../src/stores/audit/shards/shards.ts";
import { openWorkerdDatabase, type WorkerdDatabase } from "../workerd-d1.ts";

/** For what asks the database of a tenant. */
export const askOf =
  (db: AuditReader): AskAudit =>
  (_tenant, ask) =>
    ask(db);

export interface TestDatabase extends WorkerdDatabase {
  /** Deletes every record. */
  clear(): Promise<void>;
}

export async function openDatabase(): Promise<TestDatabase> {
  const { db, dispose } = await openWorkerdDatabase("src/stores/migrations");
  return {
    db,
    clear: async () => {
      await db.batch(auditTables.map((table) => db.prepare(`DELETE FROM ${table}`)));
    },
    dispose,
  };
}
