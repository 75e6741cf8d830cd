import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonFault, positionAt } from "../../../src/lib/json/json-document.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("where a text stops being JSON", () => {
  it.each([
    ["", 0],
    ["  ", 2],
    ['{"a":x}', 5],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["{a:1}", 1],
    ["[1 2]", 3],
    ["[1,]", 3],
    ["[1}", 2],
    ["01", 1],
    ["1.", 1],
    ["-", 0],
    ["tru", 0],
    ['"a\nb"', 2],
    ['"a\\x"', 2],
    ['"abc', 4],
    ['{"a":[{"b":null}', 16],
    ["{} {}", 3],
  ])("%j: at %d", (text, offset) => {
    expect(isJson(text)).toBe(false);
    expect(jsonFault(text).offset).toBe(offset);
  });

  it("of_json_there_is_none", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", "\n ", "\t"), (text, space) => {
        expect(jsonFault(space + text + space).offset).toBe((space + text + space).length);
      }),
    );
  });

  it("what_is_before_it_could_go_on", () => {
    // A cut within a valid text is where that text ends too early, unless what is left is JSON itself.
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (text, nat) => {
        const cut = text.slice(0, nat % (text.length + 1));
        if (isJson(cut)) return;
        const at = jsonFault(cut).offset;
        const token = /(?:[a-z]+|-?[\d.eE+-]*|\\u?[0-9a-fA-F]*)$/.exec(cut)?.[0].length ?? 0;
        expect(at).toBeGreaterThanOrEqual(cut.length - token);
      }),
    );
  });

  it("is told by line and column, from 1", () => {
    const text = '{\n  "a": 1,\n  b\n}';
    expect(positionAt(text, jsonFault(text).offset)).toEqual({ line: 3, column: 3 });
    expect(positionAt("x", 0)).toEqual({ line: 1, column: 1 });
  });
});
