/** The migrations of a database, in the order in which they are applied. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./settings.ts";

/** @param folder as `wrangler.toml` has it; what stands in folders of its own is another database's. */
export const migrationFiles = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** As `wrangler.toml` binds them. */
export const databases = [
  { binding: "AUDIT_DB", folder: "src/stores/migrations" },
  { binding: "TOOLS_DB", folder: "src/stores/migrations/tools" },
] as const;
