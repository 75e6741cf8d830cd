/**
 * An object that nothing is left in but its chain drops its tables: they take 390 KB, and what it keeps 12. It keeps the rows of `meta`
 * (the end of the chain, whose it is, what retention has still to remove), without which nobody could tell whether the records are all
 * there. It makes its tables again when it is needed.
 */
import type { Result } from "../../lib/result.ts";
import { SCHEMA_KEY, type SchemaStep, upgradeObject } from "../objects/object-schema.ts";
import { selectAll } from "../objects/sql-rows.ts";

/** Of the object's key-value storage: the rows of `meta`. */
const KEY = "rest";

interface MetaRow {
  readonly key: string;
  readonly value: string;
}

/** As `upgradeObject`, with what an object at rest kept. @returns also whether it was at rest. */
export function wakeObject(
  storage: DurableObjectStorage,
  schema: readonly SchemaStep[],
): { readonly upgraded: Result<number, string>; readonly rested: boolean } {
  const kept = storage.kv.get<readonly MetaRow[]>(KEY);
  if (kept === undefined) return { upgraded: upgradeObject(storage, "UserGuard", schema), rested: false };
  // The version stays while it rests: older code, which would begin another chain, refuses the object.
  const isOlder = (storage.kv.get<{ readonly version: number }>(SCHEMA_KEY)?.version ?? 0) > schema.length;
  if (isOlder) return { upgraded: upgradeObject(storage, "UserGuard", schema), rested: true };
  return storage.transactionSync(() => {
    storage.kv.delete(SCHEMA_KEY);
    const upgraded = upgradeObject(storage, "UserGuard", schema);
    for (const { key, value } of kept)
      storage.sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
    storage.kv.delete(KEY);
    return { upgraded, rested: true };
  });
}

/** The storage of an object that may come to rest while it runs: who asks for its tables gets them. */
export interface RestingStorage {
  readonly storage: DurableObjectStorage;
  /** Drops the tables where no row is left in them. */
  rest(): void;
}

/** @param woken is called when the tables were made again. */
export function restingStorage(
  storage: DurableObjectStorage,
  schema: readonly SchemaStep[],
  woken: () => void,
): RestingStorage {
  let rests = false;
  const awake = new Proxy(storage, {
    get(of, name) {
      if (name === "sql" && rests) {
        rests = false;
        wakeObject(storage, schema);
        woken();
      }
      const member: unknown = Reflect.get(of, name, of);
      return typeof member === "function" ? member.bind(of) : member;
    },
  });
  return {
    storage: awake,
    rest() {
      const tables = rests ? [] : tablesOf(storage.sql);
      if (tables.length === 0 || tables.some((table) => table !== "meta" && hasRows(storage.sql, table))) return;
      storage.transactionSync(() => {
        storage.kv.put(KEY, selectAll<MetaRow>(storage.sql, "SELECT key, value FROM meta"));
        for (const table of tables) storage.sql.exec(`DROP TABLE ${table}`);
      });
      rests = true;
    },
  };
}

/** The object's own: names are constants of its schema. */
const tablesOf = (sql: SqlStorage): readonly string[] =>
  selectAll<{ name: string }>(
    sql,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  ).map(({ name }) => name);

const hasRows = (sql: SqlStorage, table: string): boolean =>
  selectAll(sql, `SELECT 1 AS one FROM ${table} LIMIT 1`).length > 0;
