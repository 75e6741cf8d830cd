import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, maxJsonDepth } from "../../../src/lib/json/canonical-json.ts";

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, reversed(member)]);
  return Object.fromEntries(entries.reverse());
}

const json = fc.jsonValue({ noUnicodeString: false });

describe("canonicalJson", () => {
  test("sorts keys by code unit and writes no white space", () => {
    expect(canonicalJson({ b: [1, "x y"], a: { é: null, Z: true }, "": -0 })).toBe(
      '{"":0,"a":{"Z":true,"é":null},"b":[1,"x y"]}',
    );
    expect(canonicalJson({ "\u{1f600}": 1, "\ufb01": 2 })).toBe('{"\u{1f600}":1,"\ufb01":2}');
  });

  test("the_order_of_keys_does_not_show", () => {
    fc.assert(fc.property(json, (value) => canonicalJson(reversed(value)) === canonicalJson(value)));
  });

  test("equal_texts_mean_equal_values", () => {
    fc.assert(
      fc.property(json, (value) => {
        // What can be read back whole cannot be another value's text too.
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("keeps a key that names the prototype", () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"toString":2}'))).toBe('{"__proto__":{"a":1},"toString":2}');
  });

  test.each([
    ["undefined", undefined],
    ["an undefined member", { a: undefined }],
    ["a hole", Object.assign([], { length: 1 })],
    ["NaN", Number.NaN],
    ["infinity", [Number.POSITIVE_INFINITY]],
    ["a function", { toJSON: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["a date", new Date(0)],
    ["a map", new Map()],
  ])("throws on %s", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test("throws on a cycle and on what is too deep, and does not overflow", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => canonicalJson(cycle)).toThrow(/nested more than/);
    const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
    expect(() => canonicalJson(nested(100_000))).toThrow(/nested more than/);
    expect(canonicalJson(nested(maxJsonDepth))).toHaveLength(2 * maxJsonDepth);
  });
});
