import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coerceChange } from "../../../src/approvals/edit/coerce-change.ts";
import { applyChanges } from "../../../src/approvals/edit/edit.ts";
import { redactArguments, redacted } from "../../../src/lib/redact.ts";

const edited = (
  original: Record<string, unknown>,
  set: Record<string, unknown>,
  redact: string[] = [],
  unset: string[] = [],
) => {
  const result = applyChanges(original, { set, unset }, redact);
  return result.ok ? result.value : result.error;
};

describe("an edit", () => {
  it("replaces the members that are named, and removes those that are to go", () => {
    expect(edited({ a: 1, b: { c: 2 }, d: 3 }, { b: { e: 4 }, f: 5 }, [], ["d", "gone"])).toEqual({
      a: 1,
      b: { e: 4 },
      f: 5,
    });
  });

  it("keeps what was hidden where it comes back as it was shown, and takes a new value for it", () => {
    const original = { to: "a", token: "s3cret", user: { name: "x", password: "p4ss" } };
    const redact = ["token", "user.password"];
    expect(edited(original, { to: "b", token: redacted }, redact)).toEqual({ ...original, to: "b" });
    expect(edited(original, { user: { name: "y", password: redacted } }, redact)).toEqual({
      ...original,
      user: { name: "y", password: "p4ss" },
    });
    expect(edited(original, { token: "new" }, redact)).toEqual({ ...original, token: "new" });
    expect(edited(original, {}, redact, ["token"])).toEqual({ to: "a", user: original.user });
  });

  it("refuses the mark of what is hidden where nothing is", () => {
    expect(edited({ a: 1 }, { token: redacted }, ["token"])).toMatch(/^`token` must be written out/);
    expect(edited({ user: {} }, { user: { token: redacted } }, ["token"])).toMatch(/^`user.token` must be written out/);
    // Where the policy hides nothing it is a text like any other.
    expect(edited({ a: 1 }, { a: redacted }, ["token"])).toEqual({ a: redacted });
  });

  it("gives an item that moved its own hidden value, and never another's", () => {
    const items = [
      { to: "ann", key: "k1" },
      { to: "bob", key: "k2" },
    ];
    const redact = ["key"];
    const shown = (to: string) => ({ to, key: redacted });
    expect(edited({ items }, { items: [shown("bob")] }, redact)).toEqual({ items: [items[1]] });
    expect(edited({ items }, { items: [shown("bob"), shown("ann")] }, redact)).toEqual({ items: [items[1], items[0]] });
    expect(edited({ items }, { items: [shown("ann"), shown("eve")] }, redact)).toEqual({
      items: [items[0], { to: "eve", key: "k2" }],
    });
    expect(edited({ items }, { items: [shown("eve")] }, redact)).toMatch(/^`items.0.key` must be written out/);
    expect(edited({ items }, { items: [...items.map(({ to }) => shown(to)), shown("eve")] }, redact)).toMatch(
      /^`items.2.key` must be written out/,
    );
  });

  it("is not led by names of a prototype", () => {
    expect(edited({}, JSON.parse('{"__proto__": {"a": 1}}'))).toMatch(/cannot be a field/);
    expect(edited({ a: 1 }, { constructor: "x", toString: "y" })).toEqual({ a: 1, constructor: "x", toString: "y" });
    expect(edited({ a: { token: "x" } }, { a: JSON.parse('{"__proto__": {"b": 1}}') }, ["token"])).toMatch(
      /cannot be a field/,
    );
    expect(edited({}, { a: { constructor: redacted } }, ["constructor"])).toMatch(/must be written out/);
  });

  const names = fc.constantFrom("a", "b", "token", "key");
  const { value: anyValue } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    object: fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  }));
  const args = fc.dictionary(names, anyValue, { maxKeys: 4 }) as fc.Arbitrary<Record<string, unknown>>;
  const redact = ["token", "a.key"];

  it("what_is_sent_back_as_it_was_shown_changes_nothing", () => {
    fc.assert(
      fc.property(args, (original) => {
        expect(edited(original, redactArguments(original, redact), redact)).toEqual(original);
      }),
    );
  });

  it("no_hidden_place_ever_holds_the_mark, and no hidden value is shown", () => {
    fc.assert(
      fc.property(args, args, (original, other) => {
        const result = applyChanges(original, { set: redactArguments(other, redact), unset: [] }, redact);
        if (!result.ok) return;
        const shown = JSON.stringify(redactArguments(result.value, redact));
        const hidden = JSON.stringify(redactArguments({ ...original, ...redactArguments(other, redact) }, redact));
        expect(shown).toBe(hidden);
        expect(JSON.stringify(result.value)).not.toContain(redacted);
      }),
    );
  });
});

describe("a value that was typed", () => {
  it.each([
    ["a b", { type: "string" }, "a b"],
    ["5", { type: "string" }, "5"],
    ["5", { type: "integer" }, 5],
    [" -2.5e1 ", { type: "number" }, -25],
    ["true", { type: "boolean" }, true],
    ["null", { type: ["string", "null"] }, null],
    ["x", { anyOf: [{ type: "integer" }, { type: "string" }] }, "x"],
    ["7", { anyOf: [{ type: "integer" }, { type: "string" }] }, 7],
    ["a, b", { type: "array" }, ["a", "b"]],
    ["", { type: "array" }, []],
    ['{"a":1}', { type: "object" }, { a: 1 }],
    ["b", { enum: ["a", "b"] }, "b"],
    ["2", { enum: [1, 2] }, 2],
    ["anything", {}, "anything"],
    ["anything", undefined, "anything"],
  ])("%j is read by its schema %j", (text, schema, value) => {
    expect(coerceChange(text, schema)).toEqual({ ok: true, value });
  });

  it.each([
    ["5.5", { type: "integer" }],
    ["0x10", { type: "number" }],
    ["NaN", { type: "number" }],
    ["12345678901234567890", { type: "integer" }],
    ["yes", { type: "boolean" }],
    ["[1", { type: "array" }],
    ['{"a":1,"a":2}', { type: "object" }],
    ['{"__proto__":1}', { type: "object" }],
    ["c", { enum: ["a", "b"] }],
  ])("%j is refused by %j", (text, schema) => {
    expect(coerceChange(text, schema).ok).toBe(false);
  });
});
