/**
 * Writes `policies/policy.schema.json`, by which editors complete and check policy documents, from the zod schema.
 * With `--check` it writes nothing and exits 1 where the file is not what it would write.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { policyDocument } from "../policy/document-schema.ts";

const file = new URL("../../policies/policy.schema.json", import.meta.url);

/** Of what a person writes, not of what it is read into: defaults are optional and durations are text. */
const schema = z.toJSONSchema(policyDocument, { io: "input", target: "draft-2020-12" });
const text = `${JSON.stringify({ title: "Toolgate policy", ...schema }, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  console.error("policies/policy.schema.json is out of date, run `node src/cli/policy-schema.ts`");
  process.exitCode = 1;
}
