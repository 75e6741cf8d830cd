/** The migrations of a database, in the order in which they are applied. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { unlessBuilt } from "../build/unless-built.ts";
import { root } from "../settings.ts";
import { sourceFile } from "../source-file.ts";

/** @param folder as `wrangler.toml` has it; what stands in folders of its own is another database's. */
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

/** What an earlier start left may be of fewer migrations. */
async function migrate(mf: Miniflare, binding: string, folder: string): Promise<void> {
  const database = await mf.getD1Database(binding);
  await database.prepare(APPLIED).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  for (const file of migrationFiles(folder).filter((one) => !results.some(({ name }) => name === one))) {
    const queries = await queriesOf(join(sourceFile(folder), file));
    await database.batch([
      ...queries.map((query) => database.prepare(query)),
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(file),
    ]);
  }
}

/** Loading wrangler takes longer than applying them. */
const queriesOf = (path: string): Promise<readonly string[]> =>
  unlessBuilt(`migration ${path}`, async () => {
    const { unstable_splitSqlQuery } = await import("wrangler");
    return { made: unstable_splitSqlQuery(await readFile(join(root, path), "utf8")), inputs: [path], outputs: [] };
  });

const APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
