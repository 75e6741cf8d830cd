/**
 * Writes `policies/policy.schema.json` and `policies/cases.schema.json`, by which editors complete and check policies and
 * their cases, from the zod schemas. With `--check` it writes nothing and exits 1 where a file is not what it would write.
 */
import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { describedPolicySchema } from "./docs/described-schema.ts";
import { caseFile } from "./policy/cases/case-schema.ts";
import { programArguments } from "./program-arguments.ts";

const { check } = programArguments(
  "npm run policy:schema -- [--check]\nwrites policies/*.schema.json; with --check only tells whether they are current",
  { check: { type: "boolean", default: false } },
);

const schemas = [
  { name: "policy.schema.json", title: "Toolgate policy", schema: describedPolicySchema() },
  {
    name: "cases.schema.json",
    title: "Toolgate policy cases",
    schema: z.toJSONSchema(caseFile, { io: "input", target: "draft-2020-12" }),
  },
];

for (const { name, title, schema } of schemas) {
  const file = new URL(`../../policies/${name}`, import.meta.url);
  const text = `${JSON.stringify({ title, ...schema }, null, 2)}\n`;
  if (!check) {
    writeFileSync(file, text);
  } else if (read(file) !== text) {
    console.error(`policies/${name} is out of date, run \`npm run policy:schema\``);
    process.exitCode = 1;
  }
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
