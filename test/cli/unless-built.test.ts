import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { unlessBuilt } from "../../src/cli/build/unless-built.ts";

const folder = mkdtempSync(join(tmpdir(), "unless-built-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string, age = 0) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  const at = Date.now() / 1000 - age;
  utimesSync(path, at, at);
  return path;
};

it("what is built is built anew only where an input has changed, or what was written is gone", async () => {
  const input = file("input", "a", 60);
  const output = file("output", "A");
  let builds = 0;
  const build = (name = "test: some") =>
    unlessBuilt(name, async () => ({ made: ++builds, inputs: [input], outputs: [output] }));
  expect([await build(), await build()]).toEqual([1, 1]);
  file("input", "b", 30);
  expect([await build(), await build()]).toEqual([2, 2]);
  rmSync(output);
  expect(await build()).toBe(3);
  expect(await build("test: others")).toBe(4);
});

it("what was saved while it was read is read again", async () => {
  let builds = 0;
  const build = () =>
    unlessBuilt("test: saved", async () => {
      const inputs = [file("saved", "a", builds === 0 ? -1 : 60)];
      return { made: ++builds, inputs, outputs: [] };
    });
  await build();
  expect(await build()).toBe(2);
});

it("what cannot be built is an error each time", async () => {
  const build = () => unlessBuilt("test: broken", () => Promise.reject(new Error("no")));
  await expect(build()).rejects.toThrow("no");
  await expect(build()).rejects.toThrow("no");
});
