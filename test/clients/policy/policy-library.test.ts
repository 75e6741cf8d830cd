/** Every policy that ships is valid, and its cases hold in the gateway itself. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { casesPathOf, isCaseFile } from "../../../src/cli/policy/cases/read-case-file.ts";
import { checkCommand } from "../../../src/cli/policy/check-command.ts";
import { testCommand } from "../../../src/cli/policy/test-command.ts";
import { root } from "../../../src/cli/settings.ts";
import { recording } from "../support/recording.ts";

const folder = join(root, "policies");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json"))
  .map((name) => join(folder, name));
const policies = files.filter((file) => !isCaseFile(file));

it("is valid", async () => {
  const out = recording();
  expect(await checkCommand(files, out), out.text()).toBe(0);
  // It trains a model for each policy.
}, 400_000);

it("has a policy beside each case file", () => {
  expect(files.filter((file) => isCaseFile(file) && !policies.some((policy) => casesPathOf(policy) === file))).toEqual(
    [],
  );
});

it("passes its cases", async () => {
  const out = recording();
  expect(await testCommand(policies, out), out.text()).toBe(0);
}, 300_000);
