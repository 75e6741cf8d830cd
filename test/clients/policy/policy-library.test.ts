/** Every policy that ships is valid, and its cases hold in the gateway itself. */
import { basename } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { casesPathOf, isCaseFile, readCases } from "../../../src/cli/policy/cases/read-case-file.ts";
import { testCommand } from "../../../src/cli/policy/test-command.ts";
import { readPolicy } from "../../../src/cli/policy-file.ts";
import { shippedFiles as files } from "../../support/shipped-policies.ts";
import { recording } from "../support/recording.ts";

const policies = files.filter((file) => !isCaseFile(file));

it.each(files.map((file) => [basename(file), file] as const))("%s is valid", async (_, file) => {
  const read = isCaseFile(file) ? await readCases(file) : await readPolicy(file);
  expect(read.ok || read.error).toBe(true);
});

it("has a policy beside each case file", () => {
  expect(files.filter((file) => isCaseFile(file) && !policies.some((policy) => casesPathOf(policy) === file))).toEqual(
    [],
  );
});

afterEach(() => void vi.restoreAllMocks());

it("passes its cases", async () => {
  const out = recording();
  expect(await testCommand.run(policies), out.text()).toBe(0);
}, 600_000);
