import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSettings, readStateFolder } from "../../src/cli/settings.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-settings-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("names no upstream where none is set, and says which of its settings are then not used", () => {
  expect(readSettings({}, folder)).toMatchObject({ ok: true, value: { upstream: undefined, warnings: [] } });
  const read = readSettings({ UPSTREAM_API_KEY: "sk-own", UPSTREAM_MODEL: "big" }, folder);
  expect(read).toMatchObject({ ok: true, value: { upstream: undefined } });
  expect(read.ok && read.value.warnings).toEqual([
    expect.stringMatching(/^UPSTREAM_API_KEY is not used: UPSTREAM_BASE_URL is not set/),
    expect.stringMatching(/^UPSTREAM_MODEL is not used: /),
  ]);
  expect(JSON.stringify(read.ok && read.value.warnings)).not.toContain("sk-own");
});

it("refuses what the worker would refuse to serve with", () => {
  const read = readSettings({ TENANT_SETTINGS: "true" }, folder);
  expect(read).toMatchObject({ ok: false, error: [expect.stringMatching(/^TENANT_SETTINGS: write `1`/)] });
  expect(readSettings({ TENANT_SETTINGS: "1" }, folder)).toMatchObject({ ok: true });
});

it("finds the state folder whatever the other settings are", () => {
  const path = join(folder, ".dev.vars");
  writeFileSync(path, "UPSTREAM_2_BASE_URL=https://b.test/v1\nPORT=no\nTOOLGATE_STATE=kept\n");
  expect(readStateFolder({}, folder)).toEqual({ ok: true, value: join(folder, "kept") });
  expect(readStateFolder({ TOOLGATE_STATE: "/elsewhere" }, folder)).toEqual({ ok: true, value: "/elsewhere" });
  rmSync(path);
  expect(readStateFolder({}, folder)).toEqual({ ok: true, value: join(folder, ".wrangler/state") });
});

it("refuses a second upstream without the first, and one that cannot be reached", () => {
  const second = readSettings({ UPSTREAM_2_BASE_URL: "https://b.test/v1" }, folder);
  expect(second).toMatchObject({ ok: false, error: [expect.stringContaining("UPSTREAM_BASE_URL is not set, but")] });
  const wrong = readSettings({ UPSTREAM_BASE_URL: "ftp://a.test" }, folder);
  expect(wrong).toMatchObject({ ok: false, error: [expect.stringMatching(/^UPSTREAM_BASE_URL /)] });
});
