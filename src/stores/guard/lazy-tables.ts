/**
 * The tables of one user's object, each made with its first row: an empty table takes 4 KB, and each of its indexes as much, so all
 * of them would take 390 KB for a person who said hello. A table gets its indexes once it has grown: until then a look-up reads a few
 * rows, which cost a thousandth of what an index entry costs to write.
 *
 * Statements need not know. One that reads a missing table finds no row; one that changes or deletes rows there does nothing; an
 * INSERT makes the table.
 */
import { ok, type Result } from "../../lib/result.ts";
import { SCHEMA_KEY, type SchemaStep, type SchemaVersion, upgradeObject } from "../objects/object-schema.ts";
import { exists, selectAll } from "../objects/sql-rows.ts";
import type { GuardTable } from "./tables.ts";
import { forgetMeta } from "./transaction.ts";

/** Rows of a table above which it has its indexes. */
const FEW_ROWS = 256;
/** Rows that are inserted before the table's growth is checked again. */
const LOOK_EVERY = 64;
/** Of the key-value storage: the rows of `meta` of an object that came to rest under version 20, without tables. */
const REST_KEY = "rest";

export interface LazyStorage {
  readonly upgraded: Result<number, string>;
  /** As the object's own storage, except for what is described above. */
  readonly storage: DurableObjectStorage;
  /**
   * Runs the body outside a transaction as long as it only reads. Undefined if it is about to write: nothing is written then, and it
   * must be run again, in a transaction.
   */
  tryReading<T>(body: () => T): { readonly value: T } | undefined;
  /** Gives tables that have grown their indexes, and drops those without a row once the object is idle. */
  tidy(): void;
}

/** One for each storage: it knows which tables are there. */
const views = new WeakMap<SqlStorage, LazyTables>();

/** Brings the object up to the last step; one that is new gets the tables as they are today. */
export function lazyTables(
  storage: DurableObjectStorage,
  steps: readonly SchemaStep[],
  tables: readonly GuardTable[],
): LazyStorage {
  const lean = views.get(storage.sql) ?? new LazyTables(storage.sql, tables);
  views.set(storage.sql, lean);
  const wrapped = new Proxy(storage, {
    get(of, name) {
      if (name === "sql") return lean;
      if (name === "transactionSync") return <T>(body: () => T): T => lean.transact(() => of.transactionSync(body));
      const member: unknown = Reflect.get(of, name, of);
      return typeof member === "function" ? member.bind(of) : member;
    },
  });
  const upgraded = upgrade(wrapped, storage, steps);
  lean.forget();
  return {
    upgraded,
    storage: wrapped,
    tryReading: (body) => lean.tryReading(body),
    tidy() {
      try {
        wrapped.transactionSync(() => lean.tidy());
      } catch (error) {
        // A cursor is being read: the tables are tidied another time.
        if (!/locked/i.test(String(error))) throw error;
      }
    },
  };
}

function upgrade(
  wrapped: DurableObjectStorage,
  storage: DurableObjectStorage,
  steps: readonly SchemaStep[],
): Result<number, string> {
  const version = storage.kv.get<SchemaVersion>(SCHEMA_KEY)?.version ?? 0;
  if (version >= steps.length) return upgradeObject(storage, "UserGuard", steps);
  const oldRestRows = storage.kv.get<readonly { readonly key: string; readonly value: string }[]>(REST_KEY);
  // The first version had tables before it had a number.
  if (oldRestRows === undefined && (version > 0 || exists(storage.sql, ANY_TABLE)))
    return upgradeObject(storage, "UserGuard", steps);
  wrapped.transactionSync(() => {
    for (const { key, value } of oldRestRows ?? [])
      wrapped.sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
    if (oldRestRows) storage.kv.delete(REST_KEY);
    storage.kv.put(SCHEMA_KEY, { version: steps.length, readableBy: steps.length } satisfies SchemaVersion);
  });
  return ok(steps.length);
}

/** The object's own tables and indexes; the runtime and SQLite have others. */
const OWN = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'";
/** Names are constants of the object's schema. */
export const ownTables = (sql: SqlStorage): readonly string[] =>
  selectAll<{ name: string }>(sql, `SELECT name FROM sqlite_master WHERE type = 'table' AND ${OWN}`).map(
    ({ name }) => name,
  );
const ANY_TABLE = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND ${OWN} LIMIT 1`;

/** Version 21, of an object that had all tables: drops those without a row, and the indexes of those that have few. */
export function dropUnused(sql: SqlStorage): void {
  const own = `SELECT type, name, tbl_name AS parent FROM sqlite_master WHERE ${OWN} ORDER BY type`;
  const all = selectAll<{ type: string; name: string; parent: string }>(sql, own);
  for (const { type, name, parent } of all)
    if (type === "index" && !hasMoreThan(sql, parent, FEW_ROWS)) sql.exec(`DROP INDEX ${name}`);
  for (const { type, name } of all)
    if (type === "table" && name !== "meta" && !hasMoreThan(sql, name, 0)) sql.exec(`DROP TABLE ${name}`);
}

/** @param table a constant of the schema. */
const hasMoreThan = (sql: SqlStorage, table: string, rows: number): boolean =>
  exists(sql, `SELECT 1 FROM ${table} LIMIT 1 OFFSET ?`, rows);

/** Replaces a statement that finds and changes nothing: running it would cost 25 µs, and a turn has six of them. */
const NOTHING = "";
const NO_ROWS = {
  toArray: () => [],
  one() {
    throw new Error("the statement has no row: there is no such table yet");
  },
  [Symbol.iterator]: () => [][Symbol.iterator](),
  rowsRead: 0,
  rowsWritten: 0,
};
const READS = /^\s*SELECT\b/;
/** What a statement changes. */
const TARGET = /^\s*(?:(INSERT)(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(\w+)/;
/** The table of a plain SELECT. Statements with functions are excluded: an aggregate returns a row even from an empty table. */
const SOURCE = /^\s*SELECT\s(?!.*\bUNION\b)[^()]*?\sFROM\s+(\w+)/s;

type Cursor<T extends Record<string, SqlStorageValue>> = SqlStorageCursor<T>;

/** `SqlStorage`, as far as the object uses it. */
class LazyTables {
  private readonly sql: SqlStorage;
  private readonly tables: ReadonlyMap<string, GuardTable>;
  private readonly mention: RegExp;
  /** Tables and indexes that exist; undefined until they are read. */
  private made: ReadonlySet<string> | undefined;
  /** The replacement of a statement, as long as the same tables exist. */
  private readonly resolved = new Map<string, string>();
  private inserts = LOOK_EVERY;
  private onlyReads = false;
  /** Not a constant of the module: V8 compiles the whole Worker again to place an error that is made at start, a sixth of its CPU. */
  private readonly isToWrite = new Error("a statement is to write");

  constructor(sql: SqlStorage, tables: readonly GuardTable[]) {
    this.sql = sql;
    this.tables = new Map(tables.map((table) => [table.name, table]));
    this.mention = new RegExp(`\\b(?:${[...this.tables.keys()].join("|")})\\b`, "g");
  }

  get databaseSize(): number {
    return this.sql.databaseSize;
  }

  exec<T extends Record<string, SqlStorageValue>>(text: string, ...values: SqlStorageValue[]): Cursor<T> {
    if (this.onlyReads && !READS.test(text)) throw this.isToWrite;
    const run = this.resolved.get(text) ?? this.resolve(text);
    return run === NOTHING ? (NO_ROWS as unknown as Cursor<T>) : this.sql.exec<T>(run, ...values);
  }

  /** A failed transaction takes back the tables that were made in it. */
  transact<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  tryReading<T>(body: () => T): { readonly value: T } | undefined {
    this.onlyReads = true;
    try {
      return { value: body() };
    } catch (error) {
      if (error === this.isToWrite) return undefined;
      throw error;
    } finally {
      this.onlyReads = false;
    }
  }

  tidy(): void {
    if (this.inserts >= LOOK_EVERY) this.growIndexes();
    if (!["sessions", "turns", "outbox"].some((name) => this.has(name) && hasMoreThan(this.sql, name, 0)))
      this.dropEmpty();
  }

  private growIndexes(): void {
    this.inserts = 0;
    for (const { name, indexes } of this.present()) {
      const missing = Object.entries(indexes).filter(([index]) => !this.has(index));
      if (missing.length === 0 || !hasMoreThan(this.sql, name, FEW_ROWS)) continue;
      for (const [, text] of missing) this.sql.exec(text);
      this.forget();
    }
  }

  private dropEmpty(): void {
    const empty = this.present().filter(({ name }) => name !== "meta" && !hasMoreThan(this.sql, name, 0));
    for (const { name } of empty) this.sql.exec(`DROP TABLE ${name}`);
    if (empty.length > 0) this.forget();
  }

  private resolve(text: string): string {
    const [, inserts, target = ""] = TARGET.exec(text) ?? [];
    if (inserts) {
      this.inserts += 1;
      this.make(target);
      if (!text.includes("SELECT")) return text;
    }
    const missing = [...new Set(text.match(this.mention))].filter((name) => !this.has(name));
    const [, source = target] = SOURCE.exec(text) ?? [];
    const run = missing.includes(source)
      ? NOTHING
      : withEmpty(
          text,
          missing.map((name) => this.tables.get(name)),
        );
    // Statements that insert are counted.
    if (!inserts) this.resolved.set(text, run);
    return run;
  }

  private make(name: string): void {
    const table = this.tables.get(name);
    if (!table || this.has(name)) return;
    this.sql.exec(table.create);
    this.forget();
  }

  private present(): readonly GuardTable[] {
    return [...this.tables.values()].filter(({ name }) => this.has(name));
  }

  private has(name: string): boolean {
    const own = "SELECT name FROM sqlite_master WHERE type IN ('table', 'index')";
    this.made ??= new Set(selectAll<{ name: string }>(this.sql, own).map((row) => row.name));
    return this.made.has(name);
  }

  /** Other code has changed the tables, or may have. */
  forget(): void {
    this.made = undefined;
    this.resolved.clear();
    // The object uses this in place of its storage's own.
    forgetMeta(this as unknown as SqlStorage);
  }
}

/** The statement, with an empty table in place of each. */
const withEmpty = (text: string, tables: readonly (GuardTable | undefined)[]): string =>
  tables.length === 0 ? text : `WITH ${tables.map((table) => table?.empty).join(", ")} ${text}`;
