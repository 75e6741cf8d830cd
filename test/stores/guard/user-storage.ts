/** The storage of one user's object over Node's own SQLite, with its tables. */
import { DatabaseSync } from "node:sqlite";
import { sqliteStorage } from "../../../src/packages/stores/sqlite-storage.ts";
import type { AuditRecord } from "../../../src/ports/audit-record.ts";
import { lazyTables } from "../../../src/stores/guard/lazy-tables.ts";
import { appendRecord } from "../../../src/stores/guard/outbox/record-chain.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { guardTables } from "../../../src/stores/guard/tables.ts";
import { noteOwner } from "../../../src/stores/guard/transaction.ts";
import { keys } from "../audit/records.ts";

export function userStorage(owner = { tenant: "acme", user: "ada" }) {
  const { storage: whole, stop } = sqliteStorage(new DatabaseSync(":memory:"));
  const { storage } = lazyTables(whole, guardSchema, guardTables);
  noteOwner(storage.sql, owner);
  return {
    sql: storage.sql,
    stop,
    append: (record: AuditRecord) =>
      storage.transactionSync(() => appendRecord({ sql: storage.sql, keys, now: record.at }, record)),
  };
}
