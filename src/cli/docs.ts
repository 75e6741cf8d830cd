/**
 * `npm run docs`: writes the pages of `docs` that are made from the code, and the API's description that the gateway serves. With `--check` it writes nothing and exits 1 where a file
 * is not what it would write.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiPage } from "./docs/api/api-page.ts";
import { openApiDocument } from "./docs/api/openapi.ts";
import { describedPolicySchema } from "./docs/described-schema.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { policyPage } from "./docs/policy-page.ts";
import { settingsPage } from "./docs/settings-page.ts";
import { programArguments } from "./program-arguments.ts";
import { root } from "./settings.ts";

const { check } = programArguments(
  "npm run docs -- [--check]\nwrites the generated pages of docs; with --check only says whether they are current",
  { check: { type: "boolean", default: false } },
);

const NOTE = "<!-- Written by `npm run docs`: change src/cli/docs, not this file. -->";
const page = (text: string): string => `${NOTE}\n\n${text}\n`;
const policy = describedPolicySchema();
const files: Readonly<Record<string, string>> = {
  "assets/openapi.json": `${JSON.stringify(openApiDocument(policy))}\n`,
  "docs/api.md": page(apiPage()),
  "docs/policy-reference.md": page(policyPage(policy)),
  "docs/settings.md": page(settingsPage()),
  "docs/errors.md": page(errorsPage()),
};

for (const [name, text] of Object.entries(files)) {
  const path = join(root, name);
  if (!check) {
    writeFileSync(path, text);
  } else if (read(path) !== text) {
    console.error(`${name} is out of date, run \`npm run docs\``);
    process.exitCode = 1;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
