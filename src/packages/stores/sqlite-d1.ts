/** A D1 database over Node's own SQLite, as far as this project uses one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** @param migrations a folder of `.sql` files; its subfolders belong to other databases. */
export function sqliteD1(db: DatabaseSync, migrations: string): D1Database {
  const files = readdirSync(migrations).filter((name) => name.endsWith(".sql"));
  const applied = Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  for (const [index, file] of files.sort().entries()) {
    if (index < applied) continue;
    const text = readFileSync(join(migrations, file), "utf8");
    db.exec(`BEGIN; ${text}\n; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
  const prepare = (text: string, values: readonly SQLInputValue[] = []) => {
    const all = () => db.prepare(text).all(...values);
    const result = () => {
      const results = all();
      return { results, success: true, meta: { changes: Number(db.prepare("SELECT changes() AS n").get()?.n ?? 0) } };
    };
    return {
      bind: (...bound: SQLInputValue[]) => prepare(text, bound),
      run: async () => result(),
      all: async () => result(),
      first: async (column?: string) => {
        const row = all()[0];
        return row === undefined ? null : column === undefined ? row : (row[column] ?? null);
      },
      result,
    };
  };
  const database = {
    prepare,
    batch: async (statements: readonly ReturnType<typeof prepare>[]) => {
      db.exec("BEGIN");
      try {
        const results = statements.map((statement) => statement.result());
        db.exec("COMMIT");
        return results;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    },
  };
  // The runtime's type has many members that this project does not use.
  return database as unknown as D1Database;
}
