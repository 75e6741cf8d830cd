import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../src/cli/settings.ts";

const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const named = [...contributing.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, path = ""]) => path);
const section = contributing.split("## One call in twelve files")[1]?.split("\n## ")[0] ?? "";
const numbered = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);

it("an allowed call is read in twelve files", () => {
  expect(numbered).toHaveLength(12);
});

it("every file that CONTRIBUTING names exists", () => {
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
