import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../src/cli/settings.ts";

const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const section = contributing.split("## One call in twelve files")[1]?.split("\n## ")[0] ?? "";
const numbered = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
const others = [...section.matchAll(/^- `([^`]+)`/gm)].map(([, path = ""]) => path);

it("an allowed call is read in twelve files, and each file on the path exists", () => {
  expect(numbered).toHaveLength(12);
  expect([...numbered, ...others].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
