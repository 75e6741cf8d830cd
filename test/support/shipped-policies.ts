/** The policies and case files that ship: those of `policies/`, but for `mine.json`, which the README has its readers write there. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../src/cli/settings.ts";

const folder = join(root, "policies");

export const shippedFiles: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json") && !name.startsWith("mine."))
  .map((name) => join(folder, name));
