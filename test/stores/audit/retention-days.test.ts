import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retentionDays } from "../../../src/stores/audit/retention-overdue.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { memoryKv } from "../../support/memory-kv.ts";
import { failingKv } from "../policies/failing-kv.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const daysOf = async (document: unknown) => {
  const kv = memoryKv();
  await putPolicy(kv, "acme", document, 0);
  return retentionDays(kv, "acme", 0);
};

test.each([
  ["what the document says", { audit: { retentionDays: 7 } }, 7],
  ["the default where it says nothing", {}, 90],
  ["the default where its `audit` says nothing of it", { audit: { logToolCalls: false } }, 90],
  // Only `audit` is read: each user's object asks, and the rest of a document may be a megabyte.
  ["what the document says, though the rest of it is refused", { tools: 5, audit: { retentionDays: 7 } }, 7],
  ["unknown where the time is none", { audit: { retentionDays: 0 } }, undefined],
  ["unknown where `audit` is refused", { audit: { retentionDays: 7, keep: true } }, undefined],
  ["unknown where `audit` is null", { audit: null }, undefined],
  ["unknown where the document is a list", [], undefined],
])("is %s", async (_, document, days) => {
  expect(await daysOf(document)).toBe(days);
});

test("is that of the embedded policy for a tenant without its own", async () => {
  expect(await retentionDays(memoryKv(), "acme", 0)).toBe(90);
});

test("is unknown while KV fails, also where a policy is known: it may promise less time than the one in force", async () => {
  const kv = failingKv();
  await putPolicy(kv, "acme", { audit: { retentionDays: 7 } }, 0);
  await retentionDays(kv, "acme", 0);
  kv.failing = true;
  expect(await retentionDays(kv, "acme", 120_000)).toBeUndefined();
});
