import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sqliteStorage } from "../../../src/packages/stores/sqlite-storage.ts";
import { lazyTables } from "../../../src/stores/guard/lazy-tables.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { guardTables } from "../../../src/stores/guard/tables.ts";
import { deleteMeta, readMeta, writeMeta } from "../../../src/stores/guard/transaction.ts";
import { readTurns, takeLeftTurn } from "../../../src/stores/guard/turns/session-turns.ts";
import { upgradeObject } from "../../../src/stores/objects/object-schema.ts";

const LATEST = guardSchema.length;
/** The steps up to the one that makes an object lean: then it has all tables. */
const whole = guardSchema.slice(0, 20);

const newObject = () => sqliteStorage(new DatabaseSync(":memory:")).storage;
const lean = (storage: DurableObjectStorage) => lazyTables(storage, guardSchema, guardTables);

const namesOf = ({ sql }: DurableObjectStorage, type: "table" | "index"): string[] =>
  sql
    .exec(
      "SELECT name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE '\\_%' ESCAPE '\\'",
      type,
    )
    .toArray()
    .map(({ name }) => String(name))
    .filter((name) => name !== "sqlite_sequence")
    .sort();

/** An object of an earlier version, with a row in some of its tables. */
function earlier(): DurableObjectStorage {
  const storage = newObject();
  upgradeObject(storage, "UserGuard", whole);
  storage.sql.exec("INSERT INTO meta VALUES ('owner', '{}')");
  storage.sql.exec("INSERT INTO sessions (id, opening, fresh, created, seen) VALUES ('s', '', 0, 1, 1)");
  for (let n = 0; n < 300; n++) storage.sql.exec("INSERT INTO pairs VALUES (?, 's', 1)", `p${n}`);
  return storage;
}

/** Columns that a step added stand behind a line's end. */
const plain = (sql: unknown): string =>
  String(sql)
    .replace(/\s+/g, " ")
    .replaceAll(" , ", ", ")
    .replaceAll("( ", "(")
    .replaceAll(" )", ")")
    .replace("IF NOT EXISTS ", "")
    .replace(" AUTOINCREMENT", "");

/** Made with their first row, or once the table has grown, by no step: they came after objects were lean. */
const LATER = [
  "left_records",
  ...["sessions_pair", "sessions_opened"],
  ...["decision", "session", "at", "soft", "pending", "held", "undone"].map((name) => `calls_${name}`),
];
/** All steps but that one. */
const made = [...whole, ...guardSchema.slice(21)];

test("the tables of a new object are those that the steps give", () => {
  const storage = newObject();
  upgradeObject(storage, "UserGuard", made);
  const rows = storage.sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\\_%' ESCAPE '\\'",
    )
    .toArray();
  const known = rows
    .filter(({ name }) => name !== "sqlite_sequence")
    .map(({ name, sql }) => [name, plain(sql)] as const);
  const listed = guardTables
    .flatMap(({ name, create, indexes }) => [[name, create] as const, ...Object.entries(indexes)])
    .filter(([name]) => !LATER.includes(name));
  expect(new Map(listed.map(([name, sql]) => [name, plain(sql)]))).toEqual(new Map(known));
});

describe("a new object", () => {
  test("has no table until a row is put in", () => {
    const storage = newObject();
    const { storage: own, upgraded } = lean(storage);
    expect(upgraded).toEqual({ ok: true, value: LATEST });
    expect(namesOf(storage, "table")).toEqual([]);
    const joined = "SELECT c.tool FROM calls c JOIN sessions s ON s.id = c.session WHERE EXISTS (SELECT 1 FROM runs)";
    expect(own.sql.exec(joined).toArray()).toEqual([]);
    expect(own.sql.exec("SELECT COUNT(*) AS n, MIN(at) AS at FROM calls").one()).toEqual({ n: 0, at: null });
    expect(own.sql.exec("UPDATE calls SET outcome = ? WHERE ordinal = ? RETURNING tool", "x", 1).toArray()).toEqual([]);
    expect(own.sql.exec("DELETE FROM gates WHERE tool = ? RETURNING tool", "x").toArray()).toEqual([]);
    expect(namesOf(storage, "table")).toEqual([]);
    own.sql.exec("INSERT INTO gates (tool, session, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "x", "", 1);
    expect(namesOf(storage, "table")).toEqual(["gates"]);
    expect(own.sql.exec("SELECT tool FROM gates").toArray()).toMatchObject([{ tool: "x" }]);
  });

  test("makes a table again that a failed transaction took back", () => {
    const { storage: own } = lean(newObject());
    const put = () => own.sql.exec("INSERT INTO gates (tool, session, at) VALUES ('x', '', 1)");
    const failing = () => {
      put();
      throw new Error("no");
    };
    expect(() => own.transactionSync(failing)).toThrow("no");
    expect(own.sql.exec("SELECT * FROM gates").toArray()).toEqual([]);
    own.transactionSync(put);
    expect(own.sql.exec("SELECT tool FROM gates").toArray().length).toBe(1);
  });

  test("remembers what is stored under a key, but for what a failed transaction wrote", () => {
    const { storage: own } = lean(newObject());
    const head = (seq: number) => writeMeta(own.sql, "head", { seq, hash: "h" });
    expect(readMeta(own.sql, "head")).toBeUndefined();
    head(1);
    const failing = () => {
      head(2);
      expect(readMeta(own.sql, "head")?.seq).toBe(2);
      throw new Error("no");
    };
    expect(() => own.transactionSync(failing)).toThrow("no");
    expect(readMeta(own.sql, "head")?.seq).toBe(1);
    deleteMeta(own.sql, ["head", "delivered"]);
    expect(readMeta(own.sql, "head")).toBeUndefined();
  });

  test("is read without a transaction up to the first statement that is to write", () => {
    const storage = newObject();
    const { storage: own, tryReading } = lean(storage);
    const read = () => own.sql.exec("SELECT tool FROM gates").toArray();
    const put = () => own.sql.exec("INSERT INTO gates (tool, session, at) VALUES ('x', '', 1)");
    expect(tryReading(read)).toEqual({ value: [] });
    expect(tryReading(() => [read(), put()])).toBeUndefined();
    expect(tryReading(() => own.sql.exec("DELETE FROM gates"))).toBeUndefined();
    expect(namesOf(storage, "table")).toEqual([]);
    expect(() => tryReading(() => own.sql.exec("SELECT no FROM such"))).toThrow("such");
    put();
    expect(tryReading(read)?.value).toHaveLength(1);
  });

  test("gets the indexes of a table once that has grown, and loses what is empty once nobody uses it", () => {
    const storage = newObject();
    const { storage: own, tidy } = lean(storage);
    const put = (n: number) => own.sql.exec("INSERT INTO pairs (pair, session, at) VALUES (?, 's', 1)", `p${n}`);
    for (let n = 0; n < 256; n++) put(n);
    own.sql.exec("INSERT INTO sessions (id, opening, fresh, created, seen) VALUES ('s', '', 0, 1, 1)");
    own.sql.exec("INSERT INTO meta (key, value) VALUES ('owner', '{}')");
    tidy();
    expect(namesOf(storage, "index")).toEqual([]);
    for (let n = 256; n < 320; n++) put(n);
    tidy();
    expect(namesOf(storage, "index")).toEqual(["pairs_session"]);
    own.sql.exec("DELETE FROM pairs");
    tidy();
    expect(namesOf(storage, "table")).toEqual(["meta", "pairs", "sessions"]);
    own.sql.exec("DELETE FROM sessions");
    tidy();
    expect(namesOf(storage, "table")).toEqual(["meta"]);
    put(1);
    expect(own.sql.exec("SELECT pair FROM pairs").toArray().length).toBe(1);
  });
});

describe("an object of an earlier version", () => {
  test("loses its empty tables and the indexes of small ones, and no row", () => {
    const storage = earlier();
    const { storage: own, upgraded } = lean(storage);
    expect(upgraded).toEqual({ ok: true, value: LATEST });
    expect(namesOf(storage, "table")).toEqual(["meta", "pairs", "sessions"]);
    expect(namesOf(storage, "index")).toEqual(["pairs_session"]);
    const count = "SELECT (SELECT COUNT(*) FROM pairs) AS pairs, (SELECT COUNT(*) FROM sessions) AS sessions";
    expect(own.sql.exec(count).one()).toEqual({ pairs: 300, sessions: 1 });
    expect(upgradeObject(storage, "UserGuard", whole).ok).toBe(false);
  });

  test("has its turns in the rows of their sessions, and those without one where they were", () => {
    const storage = earlier();
    const turn = (id: string, session: string, task: number, open: number) =>
      storage.sql.exec(
        `INSERT INTO turns (id, session, task, digest, at, model, role, grants, mode, policy, open, settled, epoch, reset)
           VALUES (?, ?, ?, 'd', 5, 'm', 'user', '[]', NULL, 'p', ?, '[{"decision":"dec","outcome":"failed"}]', 2, 1)`,
        id,
        session,
        task,
        open,
      );
    turn("open", "s", 1, 1);
    turn("closed", "s", 1, 0);
    turn("deleted", "s", -1, 1);
    turn("none", "gone", 1, 0);
    const { storage: own } = lean(storage);
    const rest = {
      task: 1,
      digest: "d",
      at: 5,
      model: "m",
      role: "user",
      grants: "[]",
      mode: null,
      policy: "p",
      epoch: 2,
    };
    const settled = [{ decision: "dec", outcome: "failed" }];
    const ofSession = (id: string, open: boolean) => ({ id, open, ...rest, settled, reset: true, cleared: false });
    expect(readTurns(own.sql, "s")).toEqual([ofSession("closed", false), ofSession("open", true)]);
    expect(own.sql.exec("SELECT opened FROM sessions").one()).toEqual({ opened: 5 });
    expect(own.sql.exec("SELECT id, task FROM turns").toArray()).toEqual([{ id: "deleted", task: -1 }]);
    expect(takeLeftTurn(own.sql, "deleted")).toMatchObject({ session: "s", at: 5, settled });
  });

  /** Of version 22: calls were in one table for their session, and in another for their list. */
  function withCalls(tables: readonly ("calls" | "kept_calls")[]): DurableObjectStorage {
    const storage = earlier();
    upgradeObject(storage, "UserGuard", guardSchema.slice(0, 22));
    // What was lean had lost them.
    for (const name of ["calls", "kept_calls"]) storage.sql.exec(`DROP TABLE IF EXISTS ${name}`);
    const made = newObject();
    upgradeObject(made, "UserGuard", whole);
    for (const name of tables)
      storage.sql.exec(String(made.sql.exec("SELECT sql FROM sqlite_master WHERE name = ?", name).one().sql));
    return storage;
  }
  const releasedCall = (storage: DurableObjectStorage, ordinal: number, decision: string, outcome: string | null) =>
    storage.sql.exec(
      `INSERT INTO calls (ordinal, session, task, turn, decision, call_id, tool, arguments, extra, soft, at, outcome, epoch, families)
         VALUES (?, 's', 2, 't', ?, 'c', 'x', '{"a":1}', '{}', 1, 7, ?, 3, '["f"]')`,
      ordinal,
      decision,
      outcome,
    );
  const keptCall = (storage: DurableObjectStorage, decision: string, args: string | null, outcome: string | null) =>
    storage.sql.exec(
      `INSERT INTO kept_calls (decision, session, call_id, tool, at, recorded, undoable, arguments, result, outcome, undone_by)
         VALUES (?1, 's', 'c', 'x', 7, '{"b":2}', ?2 IS NOT NULL, ?2, 'r', ?3, 'dec_u')`,
      decision,
      args,
      outcome,
    );
  const columns =
    "ordinal, decision, session_created, task, recorded, arguments, keeps, outcome, result, undone_by, soft, families";
  const live = { session_created: 1, task: 2, soft: 1, families: '["f"]' };
  const gone = { session_created: null, task: null, soft: 0, families: "[]" };
  const told = { recorded: '{"b":2}', result: "r", undone_by: "dec_u" };
  const untold = { recorded: "null", result: null, undone_by: null };

  test("has its calls in one table, each once", () => {
    const storage = withCalls(["calls", "kept_calls"]);
    releasedCall(storage, 11, "dec_1", null);
    releasedCall(storage, 12, "dec_2", "succeeded");
    releasedCall(storage, 13, "dec_3", "failed");
    keptCall(storage, "dec_0", '{"a":0}', "succeeded");
    keptCall(storage, "dec_1", null, null);
    keptCall(storage, "dec_2", '{"a":1}', "succeeded");
    keptCall(storage, "dec_9", null, null);
    const { storage: own } = lean(storage);
    const rows = own.sql.exec(`SELECT ${columns} FROM calls ORDER BY decision`).toArray();
    expect(rows).toEqual([
      { ordinal: -1, decision: "dec_0", ...gone, ...told, arguments: '{"a":0}', keeps: 1, outcome: "succeeded" },
      { ordinal: 11, decision: "dec_1", ...live, ...told, arguments: '{"a":1}', keeps: 0, outcome: null },
      { ordinal: 12, decision: "dec_2", ...live, ...told, arguments: '{"a":1}', keeps: 1, outcome: "succeeded" },
      { ordinal: 13, decision: "dec_3", ...live, ...untold, arguments: null, keeps: 0, outcome: "failed" },
      { ordinal: -2, decision: "dec_9", ...gone, ...told, arguments: null, keeps: 0, outcome: null },
    ]);
    expect(namesOf(storage, "table")).toEqual(["calls", "meta", "pairs", "sessions"]);
  });

  test.each([["calls"], ["kept_calls"]] as const)("has its calls where it had `%s` alone", (table) => {
    const storage = withCalls([table]);
    if (table === "calls") releasedCall(storage, 11, "dec_1", "failed");
    else keptCall(storage, "dec_1", null, "failed");
    const { storage: own } = lean(storage);
    const rows = own.sql.exec(`SELECT ${columns} FROM calls`).toArray();
    const [ordinal, rest] = table === "calls" ? [11, { ...live, ...untold }] : [-1, { ...gone, ...told }];
    expect(rows).toEqual([{ ordinal, decision: "dec_1", ...rest, arguments: null, keeps: 0, outcome: "failed" }]);
  });

  test("that had come to rest without tables has its chain's end again", () => {
    const storage = earlier();
    for (const name of namesOf(storage, "table")) storage.sql.exec(`DROP TABLE ${name}`);
    storage.kv.put("rest", [{ key: "head", value: '{"seq":7}' }]);
    for (let time = 0; time < 2; time++) {
      const { storage: own } = lean(storage);
      expect(own.sql.exec("SELECT value FROM meta WHERE key = 'head'").toArray()).toMatchObject([
        { value: '{"seq":7}' },
      ]);
    }
    expect([namesOf(storage, "table"), storage.kv.get("rest")]).toEqual([["meta"], undefined]);
  });
});

/** Statements of every form that the object has, over two tables. */
const statements = fc.constantFrom(
  "INSERT INTO gates (tool, session, at) VALUES ('a', 's', 1) ON CONFLICT DO NOTHING",
  "INSERT INTO gates (tool, session, at) VALUES ('b', '', 2) ON CONFLICT DO NOTHING",
  "INSERT INTO pairs (pair, session, at) VALUES ('p', 's', 1) ON CONFLICT (pair) DO UPDATE SET at = at + 1",
  "INSERT OR IGNORE INTO pairs (pair, session, at) SELECT tool, session, at FROM gates",
  "UPDATE gates SET at = at + 1 WHERE session = 's' RETURNING tool, at",
  "UPDATE pairs SET at = 9 WHERE EXISTS (SELECT 1 FROM gates g WHERE g.session = pairs.session)",
  "DELETE FROM gates WHERE tool = 'a' RETURNING tool",
  "DELETE FROM pairs WHERE pair NOT IN (SELECT tool FROM gates)",
  "SELECT g.tool, p.pair FROM gates g LEFT JOIN pairs p ON p.session = g.session ORDER BY 1, 2",
  "SELECT (SELECT MIN(at) FROM gates) AS one, (SELECT COUNT(*) FROM pairs) AS other",
  "SELECT tool FROM gates UNION ALL SELECT pair FROM pairs ORDER BY 1",
  "SELECT tool FROM gates WHERE session NOT IN (SELECT session FROM pairs) ORDER BY tool",
  "SELECT p.pair FROM pairs p JOIN gates g ON g.session = p.session ORDER BY 1 LIMIT 1",
);

test("statements_see_the_same_rows_whichever_tables_are_there", () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: statements.map((text) => ({ kind: "run" as const, text })) },
    fc.constant({ kind: "tidy" as const }),
    statements.map((text) => ({ kind: "fail" as const, text })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const all = newObject();
      upgradeObject(all, "UserGuard", whole);
      const { storage: own, tidy } = lean(newObject());
      for (const one of steps) {
        if (one.kind === "tidy") tidy();
        else if (one.kind === "run") expect(own.sql.exec(one.text).toArray()).toEqual(all.sql.exec(one.text).toArray());
        else
          expect(() =>
            own.transactionSync(() => {
              own.sql.exec(one.text).toArray();
              throw new Error("no");
            }),
          ).toThrow("no");
      }
    }),
    { numRuns: 60 },
  );
});
