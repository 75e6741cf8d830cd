/** Migrations that copy tables, on a database that holds records of every kind: all are there afterwards, with their narrow rows. */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import type { AuditRecord } from "../../../src/ports/audit-record.ts";
import { auditTables, recordKinds } from "../../../src/stores/audit/record-kinds.ts";
import {
  approvalRecord,
  chainOf,
  connectionRecord,
  decisionRecord,
  planRecord,
  runRecord,
  turnRecord,
} from "./records.ts";

const folder = "src/stores/migrations";
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const rowids = files.indexOf("0010_rowids.sql");
const decisionKey = files.indexOf("0014_decision_key.sql");

function migrate(db: DatabaseSync, some: readonly string[]): void {
  // As D1 applies them: with foreign keys, each file in one transaction.
  for (const file of some) db.exec(`BEGIN; ${readFileSync(`${folder}/${file}`, "utf8")}; COMMIT`);
}

function put(db: DatabaseSync, records: readonly AuditRecord[]): void {
  for (const { seq, previous, hash, keyId, record } of chainOf(records)) {
    const { table } = recordKinds[record.kind];
    const text = `INSERT INTO ${table} (id, seq, previous, hash, key_id, record) VALUES (?, ?, ?, ?, ?, ?)`;
    db.prepare(text).run(record.id, seq, previous, hash, keyId, canonicalJson(record));
  }
}

const rowsOf = (db: DatabaseSync, table: string): unknown[] =>
  db
    .prepare(`SELECT * FROM ${table}`)
    .all()
    .map((row) => JSON.stringify(Object.entries(row).sort()))
    .sort();
const narrow = ["decision_reasons", "armed_turns"];

test.each([rowids, decisionKey])(
  "migration %i keeps every record, with what lists and comparisons read of it",
  (at) => {
    const db = new DatabaseSync(":memory:");
    migrate(db, files.slice(0, at));
    const turn = turnRecord({ arm: "system_first" });
    const decision = decisionRecord({
      turn: turn.id,
      reasons: [{ code: "mode_forbids", tool: "delete_note", mode: "m" }],
    });
    put(db, [turn, decision, approvalRecord(), runRecord({ decision: decision.id }), planRecord(), connectionRecord()]);
    db.exec(`INSERT INTO decision_reasons VALUES ('acme', 'mode_forbids', ${decision.at}, '${decision.id}')`);
    db.exec(`INSERT INTO armed_turns VALUES ('acme', ${turn.at}, '${turn.id}', 'ada', 's1', 'system_first', 1, NULL, 'p', 'm', 1, 40,
    NULL, NULL, NULL, NULL, 'completed', 0)`);
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name);
    const all = [...auditTables.filter((table) => tables.includes(table)), ...narrow];
    const before = all.map((table) => rowsOf(db, table));
    expect(before.filter((rows) => rows.length === 1).length).toBe(8);

    migrate(db, files.slice(at, at + 1));
    expect(all.map((table) => rowsOf(db, table))).toEqual(before);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    const schema = "SELECT COUNT(*) AS n FROM sqlite_master WHERE name LIKE '%\\_2' ESCAPE '\\'";
    expect(db.prepare(schema).get()).toEqual({ n: 0 });
    // What is narrow still goes with what it is of.
    db.exec("DELETE FROM decisions; DELETE FROM turns");
    expect(narrow.map((table) => rowsOf(db, table).length)).toEqual([0, 0]);
  },
);

test("a record of some kilobytes no longer takes a page of its own", () => {
  const bytesWith = (some: readonly string[]): number => {
    const db = new DatabaseSync(":memory:");
    migrate(db, some);
    const offered = Array.from({ length: 40 }, (_, index) => `mcp__server__tool_number_${index}`);
    put(
      db,
      Array.from({ length: 200 }, (_, index) => turnRecord({ offered, at: 1_790_000_000_000 + index })),
    );
    const pages = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
    return pages("page_count") - pages("freelist_count");
  };
  expect(bytesWith(files.slice(0, rowids + 1)) / bytesWith(files.slice(0, rowids))).toBeLessThan(0.6);
});

test("a decision that was delivered before its key changed is the same one after", () => {
  const db = new DatabaseSync(":memory:");
  migrate(db, files.slice(0, decisionKey));
  const indexes = () =>
    db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'decisions' AND sql NOT NULL ORDER BY 1",
      )
      .all();
  const before = indexes();
  const decision = decisionRecord();
  put(db, [decision]);
  migrate(db, files.slice(decisionKey, decisionKey + 1));
  expect(indexes()).toEqual(before);
  expect(() => put(db, [decision])).toThrow(/UNIQUE constraint failed: decisions.tenant, decisions.at, decisions.id/);
  expect(rowsOf(db, "decisions").length).toBe(1);
});
