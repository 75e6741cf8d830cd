/** Retention in a database that is full. D1 does not let a test fill it, so it is SQLite itself, with D1's methods. */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect, test } from "vitest";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { moveCheckpoint, readCheckpoint } from "../../../src/stores/audit/d1-retention.ts";
import { chainOf, turnRecord } from "./records.ts";

const migrations = "src/stores/migrations";

interface Prepared {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

function asD1(db: DatabaseSync): D1Database {
  const statement = (sql: string, values: readonly SQLInputValue[] = []) => ({
    sql,
    values,
    bind: (...bound: SQLInputValue[]) => statement(sql, bound),
    first: async () => db.prepare(sql).get(...values) ?? null,
  });
  return {
    prepare: (sql: string) => statement(sql),
    async batch(statements: readonly Prepared[]) {
      db.exec("BEGIN");
      try {
        const found = statements.map(({ sql, values }) => ({ results: db.prepare(sql).all(...values) }));
        db.exec("COMMIT");
        return found;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    },
  } as unknown as D1Database;
}

test("records are removed and their checkpoint is put where not a page is left for it", async () => {
  const sqlite = new DatabaseSync(":memory:");
  for (const file of readdirSync(migrations)
    .filter((name) => name.endsWith(".sql"))
    .sort())
    sqlite.exec(readFileSync(`${migrations}/${file}`, "utf8"));
  const db = asD1(sqlite);
  const user = "a".repeat(256);
  const records = chainOf(Array.from({ length: 40 }, (_, n) => turnRecord({ user, at: 1_000 + n })));
  await deliverRecords(db, records);
  const { page_count: pages } = sqlite.prepare("PRAGMA page_count").get() as { page_count: number };
  sqlite.exec(`PRAGMA max_page_count = ${pages}`);
  const other = sqlite.prepare("INSERT INTO checkpoints VALUES ('acme', ?, 1, '', '[]', 1, '', '')");
  const fill = () => {
    for (let n = 0; ; n++) other.run(`${n}${"b".repeat(300)}`);
  };
  expect(fill).toThrow("full");
  const late = chainOf(Array.from({ length: 10 }, () => turnRecord({ user: "eve" })));
  await expect(deliverRecords(db, late)).rejects.toThrow("full");

  const { seq, hash } = records[19] ?? { seq: 0, hash: "" };
  const checkpoint = { tenant: "acme", user, seq, hash, gaps: [], at: 5_000, keyId: "k1", signature: "s" };
  await moveCheckpoint(db, checkpoint, 2_000);
  expect(await readCheckpoint(db, { tenant: "acme", user })).toMatchObject({ seq: 20 });
  expect(sqlite.prepare("SELECT COUNT(*) AS n FROM turns").get()).toEqual({ n: 20 });
  await deliverRecords(db, late);
});
