import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { isObject } from "../../../src/lib/json/json-value.ts";
import { languages } from "../../../src/lib/text/languages.ts";
import { shippedFiles } from "../../support/shipped-policies.ts";

const policies = shippedFiles
  .filter((file) => !file.endsWith(".cases.json"))
  .map((file) => [basename(file), file] as const);

/** Texts by language: an object all of whose members are named by languages. */
function textsIn(value: unknown, path = ""): readonly (readonly [path: string, found: readonly string[]])[] {
  if (typeof value !== "object" || value === null) return [];
  const names = isObject(value) ? Object.keys(value) : [];
  if (names.includes("en") && names.every((name) => languages.some((one) => one === name))) return [[path, names]];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${path}/${name}`));
}

describe("the texts of the shipped policies", () => {
  it.each(policies)("%s has each text in every language", (_, file) => {
    for (const [path, found] of textsIn(JSON.parse(readFileSync(file, "utf8"))))
      expect([path, [...found].sort()]).toEqual([path, [...languages].sort()]);
  });
});
