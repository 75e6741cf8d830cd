import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hasMemberTwice,
  hasOddKeys,
  INEXACT,
  parseMarkingNumbers,
  parseStrictJson,
} from "../../../src/lib/json/strict-json.ts";
import { cpuTime } from "../../support/cpu-time.ts";

/** Whether a value has a key or a number that is refused on purpose. */
function isOdd(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value) || Object.is(value, -0);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, item]) => key === "__proto__" || isOdd(item));
}

const problemOf = (text: string) => {
  const read = parseStrictJson(text);
  return read.ok ? undefined : read.error.problem;
};

describe("parseStrictJson", () => {
  it("accepts what JSON.stringify writes, and reads the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"), (value, space) => {
        fc.pre(!isOdd(value));
        const text = JSON.stringify(value, null, space);
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 1000 },
    );
  });

  it("accepts nothing that JSON.parse does not", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "{", "}", "[", "]", ":", ",", "1", "-", "e", "a", "\\", " ") }),
        (text) => {
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          if (!valid) expect(problemOf(text)).toBe("syntax");
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("refuses a key twice in any object, wherever and however it is written", () => {
    const escapeKey = (key: string) =>
      [...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z"\\]{1,5}$/),
        fc.boolean(),
        fc.nat(5),
        fc.jsonValue(),
        (key, escaped, depth, between) => {
          fc.pre(!isOdd(between));
          const second = escaped ? `"${escapeKey(key)}"` : JSON.stringify(key);
          const inner = `{${JSON.stringify(key)}:1,"zz z":${JSON.stringify(between)},${second} :2}`;
          expect(problemOf(`${"[".repeat(depth)}${inner}${"]".repeat(depth)}`)).toBe("duplicate_key");
          expect(hasOddKeys(inner)).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['{"a":{"b":1},"c":{"b":1}}', undefined],
    ['{"a":"a","b":["a","a"]}', undefined],
    ['{"a\\"":1,"a":2}', undefined],
    ['{"a\\\\":1,"a":"\\\\"}', undefined],
    ['{"toString":1,"constructor":2,"hasOwnProperty":3}', undefined],
    ['{"__proto__":1}', "proto_key"],
    ['{"\\u005f_proto__":1}', "proto_key"],
    ['{"a":{"__proto__":{}}}', "proto_key"],
    ['{"a":"__proto__"}', undefined],
    ["1e400", "number"],
    ["-1e400", "number"],
    ["1e-400", "number"],
    ["12345678901234567890", "number"],
    ["9007199254740993", "number"],
    ["9007199254740992", undefined],
    ["0.1", undefined],
    ["0.30000000000000004", undefined],
    ["0.1000000000000000055511151231257827", "number"],
    ["1e2", undefined],
    ["1.50", undefined],
    ["100000000000000000000", undefined],
    ["1.7976931348623157e308", undefined],
    ["5e-324", undefined],
    ["-0", "number"],
    ["-0.0", "number"],
    ["0", undefined],
    ['"12345678901234567890"', undefined],
    ["[".repeat(101) + "]".repeat(101), "depth"],
    ["[".repeat(100) + "]".repeat(100), undefined],
    ["", "syntax"],
    ["{} {}", "syntax"],
    ["{'a':1}", "syntax"],
    ["\ufeff{}", "syntax"],
  ])("reads %s", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it("reads a megabyte in little time, whatever it holds", () => {
    const size = 1024 * 1024;
    const texts = [
      `{"a":"${"x".repeat(size)}"}`,
      `{"a":"${'\\"'.repeat(size / 2)}"}`,
      `{"a":"${"\\\\".repeat(size / 2)}"}`,
      `{"${"\\\\".repeat(size / 2)}":1}`,
      `[${"1,".repeat(size / 2)}1]`,
      `[${'"",'.repeat(size / 3)}1]`,
      `{"a":${"9".repeat(size)}}`,
      `{"a":0.${"0".repeat(size)}1}`,
      `{"a"${" ".repeat(size)}:1}`,
      `[${`"a"${" ".repeat(1000)},`.repeat(size / 1000)}1]`,
    ];
    for (const text of texts) {
      // Work that grows with the square would take minutes.
      expect(
        cpuTime(() => parseStrictJson(text)),
        text.slice(0, 20),
      ).toBeLessThan(1500);
    }
  });
});

describe("hasOddKeys", () => {
  it("finds escaped and double keys alone", () => {
    expect(hasOddKeys('{"tool\\u005fcalls":[]}')).toBe(true);
    expect(hasOddKeys('{"a":{"x":1,"x":1}}')).toBe(true);
    expect(hasOddKeys('{"a":"tool\\u005fcalls","n":1e400,"__proto__":1}')).toBe(false);
    expect(hasOddKeys("[".repeat(200) + "]".repeat(200))).toBe(false);
  });
});

describe("hasMemberTwice", () => {
  it.each([
    ['{"user":"a","user":"b"}', true],
    ['{"user":"a","x":[{"user":"b"}],"us\\u0065r" : "b"}', true],
    ['{"user":"a","x":{"user":"b"},"y":["user","user"]}', false],
    ['{"user":"user","x":"\\"user\\":1"}', false],
    ['[{"user":1},{"user":2}]', false],
    ["{}", false],
    ["", false],
  ])("%s: %s", (text, expected) => expect(hasMemberTwice(text, "user")).toBe(expected));
});

describe("parseMarkingNumbers", () => {
  it("marks the numbers that a double cannot hold, and reads the others", () => {
    const text = '{"a":12345678901234567890,"b":[1.5,1e400,-0],"c":"12345678901234567890"}';
    const value = { a: INEXACT, b: [1.5, INEXACT, INEXACT], c: "12345678901234567890" };
    expect(parseMarkingNumbers(text)).toEqual({ ok: true, value });
  });

  it("is as strict in all else, after such a number too", () => {
    for (const rest of ['"a":1,"a":2', '"__proto__":1', `"d":${"[".repeat(200)}${"]".repeat(200)}`])
      expect(parseMarkingNumbers(`{"n":12345678901234567890,${rest}}`).ok).toBe(false);
  });
});
