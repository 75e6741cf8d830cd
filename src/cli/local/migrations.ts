/** The migrations of a database, in the order in which they are applied. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { root } from "../settings.ts";
import { sourceFile } from "../source-file.ts";

/** @param folder as `wrangler.toml` has it; its subfolders belong to other databases. */
export const migrationFiles = (folder: string): readonly string[] =>
  readdirSync(join(root, sourceFile(folder)))
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** As `wrangler.toml` binds them. */
export const databases = [
  { binding: "AUDIT_DB", folder: "src/stores/migrations" },
  { binding: "TOOLS_DB", folder: "src/stores/migrations/tools" },
] as const;

/** @param shards beside them, with the tables of the first. */
export async function migrateDatabases(mf: Miniflare, shards: readonly string[] = []): Promise<void> {
  for (const { binding, folder } of databases) await migrate(mf, binding, folder);
  for (const binding of shards) await migrate(mf, binding, databases[0].folder);
}

/**
 * A database of an earlier start may lack some migrations. All that are missing go in one text, which D1 runs in one transaction:
 * miniflare blocks this thread for each prepared statement, and two hundred of them take a second.
 */
async function migrate(mf: Miniflare, binding: string, folder: string): Promise<void> {
  const database = await mf.getD1Database(binding);
  await database.prepare(APPLIED).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const missing = migrationFiles(folder).filter((file) => !results.some(({ name }) => name === file));
  if (missing.length > 0) await database.prepare((await Promise.all(missing.map(read))).join("\n")).run();

  async function read(file: string): Promise<string> {
    const queries = await readFile(join(root, sourceFile(folder), file), "utf8");
    return `${queries}\nINSERT INTO d1_migrations (name) VALUES ('${file}');`;
  }
}

const APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
