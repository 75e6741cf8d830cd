import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemsOf, type JsonReader, memberOf, parseJson, plainOf, readers, scalarOf } from "./json-readers.ts";
import { readCalls } from "./read-calls.ts";

const named = (name: string): JsonReader => {
  const found = readers.find((reader) => reader.name === name);
  if (!found) throw new Error(`there is no reader ${name}`);
  return found;
};

describe("the readers of JSON", () => {
  it("read_what_JSON_parse_reads_where_no_key_stands_twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(plainOf(named("exact, last wins"), parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("differ where a key stands twice, in any spelling", () => {
    const text = '{"a":1,"a":2,"A":3,"\\uff41":4}';
    const read = Object.fromEntries(
      readers.map((reader) => [reader.name, scalarOf(memberOf(reader, parseJson(text), "a"))]),
    );
    expect(read).toEqual({
      "exact, first wins": 1,
      "exact, first wins, NFKC": 1,
      "exact, last wins": 2,
      "exact, last wins, NFKC": 4,
      "folding, first wins": 1,
      "folding, first wins, NFKC": 1,
      "folding, last wins": 3,
      "folding, last wins, NFKC": 4,
    });
  });

  it("refuse what is no JSON", () => {
    for (const text of ["", "{", "[1", "{a:1}", '{"a"}', "[1] 2", '"a', "nul"]) expect(() => parseJson(text)).toThrow();
    expect(itemsOf(parseJson(" [ 1 , [ ] ] "))).toHaveLength(2);
  });

  it("find the call that rides on another", () => {
    const call =
      '{"index":0,"id":"a","function":{"name":"read","arguments":"{\\"p\\":1,\\"P\\":2}"},"Function":{"name":"delete"}}';
    const event = `{"choices":[{"delta":{"tool_calls":[${call}]}}]}`;
    const found = readers.map((reader) => readCalls(reader, [event])[0]?.name);
    expect(new Set(found)).toEqual(new Set(["read", "delete"]));
    const [folded] = readCalls(named("folding, first wins"), [event]);
    expect(folded).toEqual({ id: "a", type: undefined, name: "read", arguments: { p: 1 } });
  });
});
