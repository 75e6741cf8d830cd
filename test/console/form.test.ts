import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesOf, type Drafts, draftsOf } from "../../src/console/form/draft.ts";
import { fieldsOf } from "../../src/console/form/field.ts";

type Values = Readonly<Record<string, unknown>>;

const kinds = (schema: unknown, values: Values = {}) =>
  Object.fromEntries(fieldsOf(schema, values).map(({ name, input }) => [name, input.kind]));

const object = (properties: Values, required: readonly string[] = []) => ({ type: "object", properties, required });

/** The changes after the person has done something to the drafts. */
function edited(schema: unknown, values: Values, edit: (drafts: Drafts) => Drafts) {
  const fields = fieldsOf(schema, values);
  return changesOf(fields, edit(draftsOf(fields, values)), values);
}

describe("fields", () => {
  test("each kind of schema has its control", () => {
    const schema = object({
      text: { type: "string" },
      count: { type: "integer" },
      share: { type: "number" },
      on: { type: "boolean" },
      colour: { enum: ["blue", "green", 3] },
      tags: { type: ["array", "null"], items: { type: "string" } },
      sizes: { type: "array", items: { type: "integer" } },
      place: { type: "object", properties: { deep: { type: "object", properties: { x: { type: "string" } } } } },
      any: {},
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      perhaps: { anyOf: [{ type: "string" }, { type: "null" }] },
      elsewhere: { $ref: "#/$defs/x" },
      rows: { type: "array", items: { type: "object" } },
      free: { type: "object" },
    });
    expect(kinds(schema)).toEqual({
      text: "text",
      count: "number",
      share: "number",
      on: "truth",
      colour: "choice",
      tags: "list",
      sizes: "list",
      place: "group",
      any: "json",
      either: "json",
      perhaps: "text",
      elsewhere: "json",
      rows: "json",
      free: "json",
    });
    const [place] = fieldsOf(schema, {}).filter(({ name }) => name === "place");
    expect(place?.input).toMatchObject({ kind: "group", fields: [{ name: "deep", input: { kind: "json" } }] });
    expect(
      fieldsOf(schema, {})
        .filter(({ nullable }) => nullable)
        .map(({ name }) => name),
    ).toEqual(["tags", "perhaps"]);
  });

  test("without a schema the values tell", () => {
    expect(kinds(null, { a: "x", b: 1, c: true, d: ["x"], e: { f: 1 } })).toEqual({
      a: "text",
      b: "number",
      c: "truth",
      d: "list",
      e: "json",
    });
  });

  test("a value that its control could not show is JSON", () => {
    const schema = object({
      text: { type: "string" },
      colour: { enum: ["a"] },
      tags: { type: "array", items: { type: "string" } },
    });
    expect(kinds(schema, { text: 7, colour: "z", tags: ["x", null] })).toEqual({
      text: "json",
      colour: "json",
      tags: "json",
    });
  });

  test("a text of several lines gets room", () => {
    expect(fieldsOf(null, { a: "one\ntwo" })[0]?.input).toEqual({ kind: "text", long: true });
  });
});

describe("changes", () => {
  const schema = object(
    {
      title: { type: "string" },
      count: { type: "integer" },
      note: { type: ["string", "null"] },
      secret: { type: "string" },
    },
    ["title"],
  );
  const values = { title: "Old", count: 3, secret: "[redacted]" };
  const with_ = (name: string, change: object) => (drafts: Drafts) =>
    ({ ...drafts, [name]: { ...drafts[name], ...change } }) as Drafts;

  test.each([
    ["nothing", {}, "title", undefined],
    ["a text", { text: "New" }, "title", { arguments: { title: "New" }, unset: [] }],
    ["a number", { text: " 5 " }, "count", { arguments: { count: 5 }, unset: [] }],
    ["a member that is left out", { state: "absent" }, "count", { arguments: {}, unset: ["count"] }],
    ["a member that was not there", { state: "given", text: "x" }, "note", { arguments: { note: "x" }, unset: [] }],
    ["nothing at all as the value", { state: "null" }, "note", { arguments: { note: null }, unset: [] }],
    ["what was hidden", { state: "given", text: "new" }, "secret", { arguments: { secret: "new" }, unset: [] }],
    ["a hidden member that is left out", { state: "absent" }, "secret", { arguments: {}, unset: ["secret"] }],
  ])("tell %s", (_what, change, name, expected) => {
    expect(edited(schema, values, with_(name, change))).toEqual({ ok: true, value: expected });
  });

  test.each([
    ["count", { text: "many" }, "number"],
    ["count", { text: "1.5" }, "whole"],
    ["count", { text: "" }, "number"],
    ["title", { state: "absent" }, "missing"],
  ])("say at which field something is wrong: %s %j", (name, change, fault) => {
    expect(edited(schema, values, with_(name, change))).toEqual({ ok: false, error: [{ path: `/${name}`, fault }] });
  });

  test.each([
    ["9007199254740993", "digits"],
    ["0.12345678901234567891", "digits"],
    ["1e400", "number"],
    ["0x10", "number"],
    ["1,5", "number"],
    ["9007199254740992", 9007199254740992],
    ["-.5", -0.5],
    ["2.50", 2.5],
    ["1e3", 1000],
  ])("a number is approved as it was written, or not at all: %s", (text, expected) => {
    const read = edited(object({ n: { type: "number" } }), { n: 1 }, with_("n", { text }));
    if (typeof expected === "string") expect(read).toEqual({ ok: false, error: [{ path: "/n", fault: expected }] });
    else expect(read).toEqual({ ok: true, value: { arguments: { n: expected }, unset: [] } });
  });

  test.each([
    ['{"x":9007199254740993}', "digits"],
    ['{"x":1,"x":2}', "json"],
  ])("so is JSON: %s", (text, fault) => {
    const read = edited(null, { any: { x: 1 } }, with_("any", { text }));
    expect(read).toEqual({ ok: false, error: [{ path: "/any", fault }] });
  });

  test("JSON that is none, and a name with a slash", () => {
    const wrong = edited(null, { "a/b~c": { x: 1 } }, (drafts) => with_("a/b~c", { text: "{" })(drafts));
    expect(wrong).toEqual({ ok: false, error: [{ path: "/a~1b~0c", fault: "json" }] });
  });

  test("an item of a list is told by its place", () => {
    const wrong = edited(object({ n: { type: "array", items: { type: "integer" } } }), { n: [1, 2] }, (drafts) =>
      with_("n", { items: ["1", "two"] })(drafts),
    );
    expect(wrong).toEqual({ ok: false, error: [{ path: "/n/1", fault: "number" }] });
  });

  test("a group is sent whole, with what is hidden in it as it stands", () => {
    const nested = object({
      user: { type: "object", properties: { name: { type: "string" }, token: { type: "string" } } },
    });
    const changed = edited(nested, { user: { name: "ada", token: "[redacted]" } }, (drafts) => {
      const user = drafts.user as Drafts[string];
      return { user: { ...user, members: with_("name", { text: "eve" })(user.members) } };
    });
    expect(changed).toEqual({
      ok: true,
      value: { arguments: { user: { name: "eve", token: "[redacted]" } }, unset: [] },
    });
  });

  test("what_nobody_touched_is_not_changed", () => {
    const anything = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    fc.assert(
      fc.property(anything, (some) => {
        expect(edited(null, some, (drafts) => drafts)).toEqual({ ok: true, value: undefined });
      }),
    );
  });

  test("what_a_schema_says_of_other_values_changes_nothing", () => {
    const type = fc.constantFrom("string", "integer", "number", "boolean", "array", "object", ["string", "null"]);
    const names = fc.constantFrom("a", "b", "c");
    const schemas = fc.dictionary(names, fc.record({ type }), { noNullPrototype: true });
    const values = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(schemas, values, (properties, some) => {
        expect(edited(object(properties), some, (drafts) => drafts)).toEqual({ ok: true, value: undefined });
      }),
      { numRuns: 1000 },
    );
  });
});
