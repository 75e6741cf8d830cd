import { describe, expect, it } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { compilePattern } from "../../../src/policy/arguments/linear-pattern.ts";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";

const faultOf = (source: string) => {
  const compiled = compilePattern(source, workBudget());
  return compiled.ok ? undefined : compiled.error;
};

describe("what other engines have and RE2 does not", () => {
  it.each([
    ["(?=a)", "RE2 has no lookahead, write what follows as part of the pattern"],
    ["x(?!a)", "RE2 has no negative lookahead, write what may follow"],
    ["(?<=a)b", "RE2 has no lookbehind, write what comes before"],
    ["(?<!a)b", "RE2 has no negative lookbehind, write what may come before"],
    ["(a)\\1", "RE2 has no back references, write the repeated text out"],
    ["(?<n>a)\\k<n>", "RE2 has no back references"],
    ["(?>a)", "RE2 has no atomic groups"],
    ["a*+", "RE2 has no possessive quantifiers"],
    ["a{2}+", "RE2 has no possessive quantifiers"],
    ["(?#note)", "RE2 has no comments"],
    ["(?(1)a|b)", "RE2 has no conditions"],
    ["(?R)", "RE2 has no recursion"],
    ["(?P=n)", "RE2 does not know `(?P`"],
    ["a{1001}", "a repeat count is at most 1000"],
    ["(a", "missing closing )"],
  ])("%s: %s", (source, message) => {
    expect(faultOf(source)).toContain(message);
  });

  it("is told at the place of the pattern, with what to write instead", () => {
    const parsed = parsePolicyDocument({ intents: { A: { patterns: ["a", "b(?=c)"] } } });
    expect(parsed.ok ? [] : parsed.error).toEqual([
      {
        path: "/intents/A/patterns/1",
        message:
          "cannot be used as a pattern: RE2 has no lookahead, write what follows as part of the pattern, and take what you want by a group (at `(?=`)",
      },
    ]);
  });

  it("is not what a text holds between escapes", () => {
    for (const source of ["\\\\k<n>", "[k<]", "\\\\1", "(?<n>a)", "(?P<n>a)", "\\(?=a"])
      expect(faultOf(source)).toBeUndefined();
  });
});
