import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compileSelectors,
  matchesGlob,
  parseSelector,
  type Selectable,
  selectsAny,
} from "../../src/policy/selectors.ts";
import { growthOf, LINEAR } from "../support/cpu-time.ts";

const tool = (name: string): Selectable => ({
  name,
  category: "read_only",
  class: "safe",
  families: new Set(["fs"]),
});
const selects = (texts: string[], name: string) => selectsAny(compileSelectors(texts), tool(name));

describe("selectors", () => {
  it.each([
    ["*", "anything", true],
    ["read_file", "read_file", true],
    ["read_file", "read_file2", false],
    ["read_*", "read_file", true],
    ["read_*", "read_", true],
    ["read_*", "a_read_file", false],
    ["*_file", "read_file", true],
    ["r*d*e", "read_file", true],
    ["r*e*e", "re", false],
    ["a*a", "a", false],
    ["category:read_only", "x", true],
    ["category:external", "x", false],
    ["class:safe", "x", true],
    ["class:destructive", "x", false],
    ["family:fs", "x", true],
    ["family:web", "x", false],
  ])("%s on %s: %s", (selector, name, expected) => {
    expect(selects([selector], name)).toBe(expected);
  });

  it("finds no name on a prototype", () => {
    for (const name of ["constructor", "__proto__", "toString"]) expect(selects(["other"], name)).toBe(false);
    expect(selects(["constructor"], "constructor")).toBe(true);
  });

  it.each(["", "a b", "category:bad", "class:bad", "famly:x", "family:", "family:a*", "x:y"])("refuses %j", (text) => {
    expect(parseSelector(text).ok).toBe(false);
  });

  it("matches globs as a regular expression would", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 }), text, (glob, name) => {
        const expected = new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(name);
        fc.pre(glob.includes("*"));
        expect(matchesGlob(glob.split("*"), name)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes linear time on a glob made to backtrack", () => {
    const growth = growthOf(25_000, (size) => {
      const [pieces, text] = [`${"a*".repeat(60)}b*a`.split("*"), "a".repeat(size)];
      return () => expect(matchesGlob(pieces, text)).toBe(false);
    });
    expect(growth).toBeLessThan(LINEAR);
  });
});
