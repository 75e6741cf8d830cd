import { describe, expect, it } from "vitest";
import { loadPathCompiler, readJsonPath } from "../../../src/lib/json/json-path.ts";

const compiler = await loadPathCompiler(() => false);
const read = (path: string) => readJsonPath(compiler, path);

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
    expect(read(path).ok).toBe(true);
  });

  it.each(broken)("is none, or costs too much: %s", (path) => {
    expect(read(path)).toMatchObject({ ok: false, error: expect.stringMatching(/^(the filter of )?`/) });
  });
});
