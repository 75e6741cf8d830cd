import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, jsonPathFault } from "../../../../src/policy/document/checks/json-path-syntax.ts";
import { newEnvironment } from "../../../../src/tools/http/json-path-environment.ts";

const environment = newEnvironment(() => false);

/** What the library that follows paths says, of one that may be followed at all. */
function isRefused(path: string): boolean {
  if (costOf(path) !== undefined) return true;
  try {
    environment.compile(path);
    return false;
  } catch {
    return true;
  }
}

const paths = [
  "$",
  "$.a",
  "$.a.b[0]['c d']",
  "$[\"a\\\"b\"]['it\\'s']",
  "$.é._x9",
  "$..name",
  "$..*",
  "$..[0]",
  "$.*",
  "$[*]",
  "$[0, 1]",
  "$[-1]",
  "$[1:3]",
  "$[::2]",
  "$[ : -1 : ]",
  "$ [0] .a",
  "$[?@.a]",
  "$[?(@.a == 'x' && !@.b) || @.n >= -1.5e3]",
  "$[?@.n >= 0.5 && @.m < -0.25 && @.o == 0.0 && @.p < 0.1e999]",
  "$[?@.n0 == 10.5e0 || @['0.5'] == '0.5']",
  "$.items[? @.a != null]",
  "$[?length(@.a) > 2]",
  "$[?count(@.a) == 1]",
  "$[?match(@.a, 'x.*')]",
  "$[?!search(@['a'], \"x\")]",
  "$[?value(@.a) == true].b",
  "$['\\u00e9\\ud83d\\ude00']",
];
const broken = [
  "",
  "a",
  "$.",
  "$..",
  "$a",
  "$.a ",
  " $",
  "$[",
  "$[]",
  "$[0",
  "$[01]",
  "$[-0]",
  "$[9007199254740992]",
  "$['a]",
  "$['\\x']",
  "$['\\ud83d']",
  "$['\\u000e9']",
  "$.9a",
  "$[?]",
  "$[?1]",
  "$[?'a']",
  "$[?@.a = 1]",
  "$[?@.a == 01]",
  "$[?length(@.a)]",
  "$[?count(1) == 1]",
  "$[?match(@.a)]",
  "$[?match(@.a, 'x') == true]",
  "$[?unknown(@.a)]",
  "$[?(@.a]",
  "$[?@[0:1] == 2]",
  "$.a..b..c",
  "$[?@.a][?@.b]",
];

describe("a JSON path", () => {
  it.each(paths)("is one: %s", (path) => {
    expect([jsonPathFault(path), isRefused(path)]).toEqual([undefined, false]);
  });

  it.each(broken)("is none, or costs too much: %s", (path) => {
    expect(jsonPathFault(path)).toMatch(/^(the filter of )?`/);
  });

  // The other way round it is laxer than the RFC in some things: `$.n-ame` is one to it.
  it("what_is_accepted_can_be_followed", () => {
    const pieces = fc.constantFrom(
      ..."$.@*[]()'\",:?!=<>&|01-a ",
      "..",
      "['a']",
      "[?@.a]",
      "[0]",
      ".b",
      "&&",
      "==",
      "length(",
    );
    const changed = fc
      .tuple(fc.constantFrom(...paths), fc.nat(40), fc.nat(3), pieces)
      .map(([path, at, drop, piece]) => path.slice(0, at) + piece + path.slice(at + drop));
    fc.assert(
      fc.property(changed, (path) => {
        if (jsonPathFault(path) === undefined) expect([path, isRefused(path)]).toEqual([path, false]);
      }),
      { numRuns: 3_000 },
    );
  });
});
