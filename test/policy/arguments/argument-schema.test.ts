import fc from "fast-check";
import { compileSchema as compileByLibrary } from "json-schema-library";
import { describe, expect, it } from "vitest";
import { REQUEST_WORK, type WorkBudget, workBudget } from "../../../src/lib/work-budget.ts";
import { compileSchema, schemaFaults } from "../../../src/policy/arguments/argument-schema.ts";
import { cpuTime } from "../../support/cpu-time.ts";

function check(schema: unknown, value: unknown): unknown {
  const compiled = compileSchema(schema, workBudget());
  return compiled.ok ? compiled.value.validate(value, workBudget()) : compiled.error;
}

const draft7 = "http://json-schema.org/draft-07/schema#";

describe("argument schemas", () => {
  it("reads OpenAPI's `nullable` beside a type or a list of values", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", nullable: true, enum: ["x"] }, b: { type: "string" } },
    };
    expect(check(schema, { a: null })).toEqual([]);
    expect(check(schema, { b: null })).toEqual([{ path: "/b", message: "must be of type string, not null" }]);
  });

  it("passes what fits and points at what does not", () => {
    const schema = {
      type: "object",
      properties: { path: { type: "string", minLength: 1 }, "a/b": { type: "integer", minimum: 1 } },
      required: ["path"],
      additionalProperties: false,
    };
    expect(check(schema, { path: "x", "a/b": 2 })).toEqual([]);
    expect(check(schema, {})).toEqual([{ path: "", message: "`path` is required" }]);
    expect(check(schema, { path: 1, "a/b": 0, other: 1 })).toEqual([
      { path: "/path", message: "must be of type string, not number" },
      { path: "/a~1b", message: "must be 1 or more" },
      { path: "/other", message: "is not a property of this tool" },
    ]);
  });

  it("reports at most five issues, and never the value", () => {
    const many = check(
      { items: { type: "string" } },
      Array.from({ length: 50 }, () => 1),
    );
    expect(many).toHaveLength(5);
    expect(JSON.stringify(check({ properties: { d: { format: "date" } } }, { d: "a secret" }))).not.toContain("secret");
  });

  it.each([
    ["draft 7, tuples", { $schema: draft7, items: [{ type: "string" }], additionalItems: false }, ["a"], ["a", 1]],
    [
      "tuples without $schema",
      { items: [{ type: "string" }], additionalItems: { type: "number" } },
      ["a", 1],
      ["a", "b"],
    ],
    ["draft 2020-12, tuples", { prefixItems: [{ type: "string" }], items: false }, ["a"], ["a", 1]],
    [
      "draft 7, definitions",
      { $schema: draft7, definitions: { A: { type: "string" } }, items: { $ref: "#/definitions/A" } },
      ["a"],
      [1],
    ],
    [
      "definitions without $schema",
      { definitions: { A: { type: "string" } }, items: { $ref: "#/definitions/A" } },
      ["a"],
      [1],
    ],
    [
      "draft 7, $ref beside definitions",
      { $schema: draft7, $ref: "#/definitions/A", definitions: { A: { type: "string" } } },
      "a",
      1,
    ],
    [
      "draft 7, dependencies",
      { $schema: draft7, dependencies: { a: ["b"], c: { required: ["d"] } } },
      { a: 1, b: 1 },
      { c: 1 },
    ],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
    ["boolean exclusive bounds", { minimum: 3, exclusiveMinimum: true }, 4, 3],
    [
      "if, then, else",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ["k"] }, then: { required: ["y"] }, else: { required: ["n"] } },
      { n: 1 },
      { k: 1 },
    ],
    ["oneOf", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: 1 }, { a: 1, b: 1 }],
    ["not", { not: { required: ["a"] } }, {}, { a: 1 }],
    ["enum of objects, keys in any order", { enum: [{ x: 1, y: 2 }] }, { y: 2, x: 1 }, { x: 1 }],
    ["const", { const: { a: [1] } }, { a: [1] }, { a: [2] }],
    [
      "uniqueItems",
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ["propertyNames", { propertyNames: { pattern: "^[a-z]+$" } }, { a: 1 }, { A: 1 }],
    [
      "patternProperties",
      { patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
      { x1: 1 },
      { y: 1 },
    ],
    [
      "patternProperties for a name of properties",
      { properties: { xa: {} }, patternProperties: { "^x": { type: "number" } } },
      { xa: 1 },
      { xa: "no" },
    ],
    ["unevaluatedProperties", { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    ["contains", { contains: { type: "string" } }, [1, "a"], [1]],
    ["a deprecated branch", { anyOf: [{ type: "string", deprecated: true }, { type: "null" }] }, "x", 1],
    ["format date", { format: "date" }, "2026-01-31", "2026-02-31"],
    [
      "a recursive schema",
      { properties: { next: { $ref: "#" }, v: { type: "number" } } },
      { next: { v: 1 } },
      { next: { next: { v: "x" } } },
    ],
    ["a boolean", false, undefined, {}],
  ])("%s", (_, schema, good, bad) => {
    if (good !== undefined) expect(check(schema, good)).toEqual([]);
    const issues = check(schema, bad);
    expect(Array.isArray(issues) && issues.length).toBeGreaterThan(0);
  });

  describe("attacks", () => {
    it("runs a pattern that backtracks in linear time", () => {
      const attack = () => {
        for (const schema of [{ pattern: "^(a+)+$" }, { properties: { p: { pattern: "^(a|a)*$" } } }]) {
          const text = `${"a".repeat(100_000)}!`;
          expect(check(schema, "pattern" in schema ? text : { p: text })).toHaveLength(1);
        }
        const key = `${"a".repeat(20_000)}!`;
        const schema = { patternProperties: { "^(a+)+$": {} }, additionalProperties: false };
        expect(check(schema, { [key]: 1 })).toHaveLength(1);
      };
      expect(cpuTime(attack)).toBeLessThan(500);
    });

    it.each(["(?=a)b", "(a)\\1", "a{5000}", "("])("refuses every call where the pattern %s is not RE2", (pattern) => {
      expect(check({ properties: { a: { pattern } } }, {})).toMatch(/pattern is not supported/);
      expect(check({ patternProperties: { [pattern]: {} } }, {})).toMatch(/pattern is not supported/);
    });

    it.each([
      ["a remote $ref", { $ref: "https://example.com/schema.json" }, /none is fetched/],
      ["a remote $ref inside", { anyOf: [{ type: "object" }, { $ref: "other.json#/x" }] }, /none is fetched/],
      ["a $ref to nothing", { $ref: "#/$defs/gone" }, /leads nowhere/],
      ["a $ref along the prototype", { $ref: "#/constructor" }, /leads nowhere/],
      ["a $ref in a $def that nothing uses", { $defs: { a: { $ref: "file:///etc/passwd" } } }, /none is fetched/],
      ["a $dynamicRef", { $dynamicRef: "#x" }, /not supported/],
      ["an inner $id", { properties: { a: { $id: "https://x/", $ref: "#/$defs/b" } } }, /not supported/],
      ["an unknown type", { type: "strin" }, /not valid/],
      ["a type that is a number", { properties: { a: { type: 5 } } }, /not valid/],
      ["a list of properties", { properties: [] }, /not valid/],
      ["required as a boolean", { required: true }, /not valid/],
      ["a schema that is a string", "object", /not valid/],
      ["a deep schema", nested(200), /deep/],
      [
        "a large schema",
        { properties: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`p${i}`, {}])) },
        /parts/,
      ],
      ["a long schema", { description: "x".repeat(300_000) }, /longer/],
    ])("refuses every call under %s", (_, schema, message) => {
      expect(check(schema, {})).toMatch(message);
    });

    it("what_is_admitted_is_compiled_and_what_the_library_takes_is_admitted", () => {
      const odd = fc.oneof(
        fc.constantFrom<unknown>(
          null,
          true,
          false,
          -1,
          0,
          1.5,
          "",
          "string",
          "strin",
          "x",
          [],
          {},
          [[]],
          ["a"],
          [1],
          [null],
        ),
        fc.constantFrom<unknown>({ a: ["b"] }, { a: "b" }, { a: {} }, { a: [] }, [{}], [true, {}], ["string", "null"]),
      );
      const names = ["type", "required", "enum", "const", "format", "uniqueItems", "dependentRequired", "multipleOf"];
      const numbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minContains", "maxContains"];
      const sizes = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
      const schemas = fc.dictionary(fc.constantFrom(...names, ...numbers, ...sizes), odd, { maxKeys: 3 });
      const draft = fc.constantFrom({}, { $schema: "http://json-schema.org/draft-07/schema#", $ref: "#" });
      fc.assert(
        fc.property(schemas, draft, fc.boolean(), (own, more, inside) => {
          const schema = inside ? { type: "object", properties: { a: { ...own, ...more } } } : { ...own, ...more };
          const faults = schemaFaults(schema, workBudget());
          expect(compileSchema(schema, workBudget()).ok).toBe(faults.length === 0);
          // The library divides by it all the same.
          if (typeof own.multipleOf === "number" && own.multipleOf <= 0) return;
          // Older drafts' booleans are read; the library, in the newer draft, refuses them.
          const older = [own.exclusiveMinimum, own.exclusiveMaximum].some((value) => typeof value === "boolean");
          if (older || own.enum === null || "$ref" in more) return;
          expect([schema, compileByLibrary(schema).schemaErrors?.length === 0]).toEqual([schema, faults.length === 0]);
        }),
        { numRuns: 2_000 },
      );
    });

    it("tells every fault of a schema with its place", () => {
      const schema = {
        properties: { a: { type: "strin", pattern: "(?=x)" }, b: { $ref: "#/gone" }, c: 5 },
        patternProperties: { "(": {} },
        required: "a",
        anyOf: {},
      };
      expect(schemaFaults(schema, workBudget()).map(({ path }) => path)).toEqual([
        "/required",
        "/anyOf",
        "/properties/a/type",
        "/properties/a/pattern",
        "/properties/c",
        "/patternProperties/(",
        "/properties/b/$ref",
      ]);
    });

    it("finds nothing on a prototype", () => {
      const closed = { properties: { a: {} }, additionalProperties: false };
      for (const name of ["constructor", "toString", "_id", "__proto__"]) {
        const value = JSON.parse(`{"${name}": 1}`);
        expect(check(closed, value)).toHaveLength(1);
        expect(check({ ...closed, patternProperties: { "^x": {} } }, value)).toHaveLength(1);
        expect(check({ properties: { a: {} }, unevaluatedProperties: false }, value)).toHaveLength(1);
        expect(check({ required: [name] }, {})).toHaveLength(1);
        expect(check({ required: [name] }, value)).toEqual([]);
        expect(check({ dependentRequired: { a: [name] } }, { a: 1 })).toHaveLength(1);
      }
      const own = JSON.parse('{"properties": {"constructor": {"type": "string"}, "__proto__": {"type": "string"}}}');
      expect(check(own, {})).toEqual([]);
      expect(check(own, JSON.parse('{"constructor": 1, "__proto__": 1}'))).toHaveLength(2);
    });

    it("is not steered by the validator's own extensions", () => {
      const steering = { type: "string", errorMessages: { "type-error": "all is well" } };
      expect(check(steering, 1)).toEqual([{ path: "", message: "must be of type string, not number" }]);
      expect(check({ oneOfProperty: "t", oneOf: [{ type: "string" }, { type: "string" }] }, "x")).toHaveLength(1);
    });

    it("ends where a $ref leads back to itself", () => {
      const loop = { $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" };
      expect(check(loop, {})).toEqual([
        { path: "", message: "the schema's $ref leads back to itself, or the arguments are too deep" },
      ]);
      expect(check({ $ref: "#" }, {})).toHaveLength(1);
    });

    it("ends where a small schema asks for exponential work", () => {
      const part = (name: string) => ({ properties: { x: { $ref: "#/$defs/a" } }, required: [name] });
      const schema = { $defs: { a: { anyOf: [part("q"), part("r")] } }, $ref: "#/$defs/a" };
      const attack = () =>
        expect(check(schema, JSON.parse(`${'{"x":'.repeat(60)}{}${"}".repeat(60)}`))).toEqual([
          { path: "", message: "the arguments are too costly to check" },
        ]);
      expect(cpuTime(attack)).toBeLessThan(2_000);
    });

    /** 4 KB of schema and 10 KB of arguments took an isolate 16 seconds. */
    const forms = (count: number) => ({
      type: "object",
      unevaluatedProperties: false,
      anyOf: Array.from({ length: count }, (_, i) => ({ properties: { [`k${i}`]: { type: "string" } } })),
    });
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, "x"]));

    it("looks at unevaluated members in work that grows with schema and arguments, not with their product", () => {
      const spent = (size: number) => {
        const work = countingBudget();
        const compiled = compileSchema(forms(size / 10), workBudget());
        if (!compiled.ok) throw new Error(compiled.error);
        expect(compiled.value.validate(members(size), work)).toHaveLength(5);
        return work.spent();
      };
      expect(spent(1_000)).toBeLessThan(REQUEST_WORK / 10);
      expect(spent(2_000) / spent(1_000)).toBeLessThan(2.5);
    });

    it("pays for all calls of a request from one budget", () => {
      const schema = { items: { anyOf: Array.from({ length: 90 }, (_, i) => ({ const: i })) } };
      const compiled = compileSchema(schema, workBudget());
      if (!compiled.ok) throw new Error(compiled.error);
      const work = workBudget();
      const rows = Array.from({ length: 300 }, () => 89);
      const messages = Array.from({ length: 20 }, () => compiled.value.validate(rows, work)[0]?.message);
      expect([messages[0], messages.at(-1)]).toEqual([undefined, "the arguments are too costly to check"]);
    });

    it("reads no schema once the budget is spent", () => {
      const work = workBudget(0);
      const tooCostly = [{ path: "", message: "it is too costly to check" }];
      expect(schemaFaults({ title: "never read before" }, work)).toEqual(tooCostly);
      // It is not kept: another request may have enough left.
      expect(schemaFaults({ title: "never read before" }, workBudget())).toEqual([]);
    });

    it("checks large honest arguments", () => {
      const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `n${id}` }));
      const row = {
        type: "object",
        properties: { id: { type: "integer" }, name: { type: "string" } },
        required: ["id"],
      };
      expect(check({ $defs: { row }, items: { $ref: "#/$defs/row" }, uniqueItems: true }, rows)).toEqual([]);
    });
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? {} : { properties: { a: nested(depth - 1) } };
}

function countingBudget(): WorkBudget & { spent(): number } {
  let total = 0;
  return {
    spend(units) {
      total += units;
    },
    spent: () => total,
  };
}
