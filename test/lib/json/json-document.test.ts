import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonDocument } from "../../../src/lib/json/json-document.ts";
import { parseStrictJson } from "../../../src/lib/json/strict-json.ts";

const faultsOf = (text: string) => readJsonDocument(text).faults.map(({ path, message }) => [path.join("/"), message]);

describe("what is wrong with a document's text", () => {
  it("is told all at once, each with its place", () => {
    const text =
      '{\n  "a": 1,\n  "b": [{ "x": 1 }, { "c": 1, "\\u0063": 2 }],\n  "a": 1e400, "d": { "__proto__": 0 }\n}';
    expect(faultsOf(text)).toEqual([
      ["b/1/c", "line 3, column 31: `c` is given twice in this object, and readers use only one: remove the other"],
      ["a", "line 4, column 3: `a` is given twice in this object, and readers use only one: remove the other"],
      ["a", "line 4, column 8: a double cannot hold this number, write fewer digits"],
      ["d/__proto__", "line 4, column 22: `__proto__` cannot be a name, choose another"],
    ]);
    expect(readJsonDocument(text).read).toBeDefined();
  });

  it.each([
    ["", "line 1, column 1: the text ends too early"],
    ['{\n"a": 1 // b\n}', "line 2, column 8: JSON has no comments"],
    ['{"a": 1 /* b */}', "line 1, column 9: JSON has no comments"],
    ['{"a": 1 /* b }', "line 1, column 9: this comment does not end"],
    ["# a\n{}", "line 1, column 1: JSON has no comments"],
    ['{"a": 1,\n}', "line 2, column 1: JSON has no comma before `}`"],
    ["[1, ]", "line 1, column 5: JSON has no comma before `]`"],
    ["{a: 1}", "line 1, column 2: a name in double quotes or `}` is expected"],
    ["{'a': 1}", "line 1, column 2: strings stand in double quotes"],
    ['{"a" 1}', "line 1, column 6: `:` is expected"],
    ['{"a": x}', "line 1, column 7: a value is expected"],
    ['{"a": 1 "b": 2}', "line 1, column 9: `,` or the closing bracket is expected"],
    ['{"a": "\n"}', "line 1, column 8: this cannot stand in a string"],
    ["{} {}", "line 1, column 4: nothing may follow"],
  ])("%j: %s", (text, message) => {
    expect(readJsonDocument(text)).toEqual({ faults: [{ problem: "syntax", path: [], message }] });
  });

  it("ends where it is nested too deeply: nobody should walk that", () => {
    const { read, faults } = readJsonDocument(`${'{"a":['.repeat(60)}${"]}".repeat(60)}`);
    expect(read).toBeUndefined();
    expect(faults.map(({ problem }) => problem)).toEqual(["depth"]);
  });

  it("is_there_where_the_strict_reader_refuses_and_nowhere_else", () => {
    const odd = fc.constantFrom(
      '{"a":1,"a":2}',
      '{"a":{"b":[],"b":{}}}',
      "[1e999]",
      "[-0]",
      '{"__proto__":1}',
      "[1,]",
      "[",
    );
    const nested = fc.tuple(odd, fc.json()).map(([one, other]) => `[${one},{"a":${other}}]`);
    fc.assert(
      fc.property(fc.oneof(fc.json(), odd, nested), (text) => {
        expect(readJsonDocument(text).faults.length === 0).toBe(parseStrictJson(text).ok);
      }),
    );
  });
});
