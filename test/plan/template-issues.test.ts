import { describe, expect, test } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { templateIssues } from "../../src/plan/template-issues.ts";

const REF = "{{a.result.x}}";
const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: "object", properties, ...more });
/** As text: an object with a `then` looks like a promise. */
const when = (condition: object, consequence: object) =>
  JSON.parse(`{"if":${JSON.stringify(condition)},"then":${JSON.stringify(consequence)}}`) as object;

const count = object({ n: { type: "integer", minimum: 3, enum: [3, 4] } }, { required: ["n"] });

describe("what may still come right is let by", () => {
  test.each([
    ["a value of any type", count, { n: REF }],
    [
      "an item of a list",
      object({ l: { type: "array", items: { type: "integer" }, uniqueItems: true } }),
      { l: [REF, REF] },
    ],
    ["a whole object", object({ o: object({ x: { type: "integer" } }, { required: ["x"] }) }), { o: REF }],
    ["a const", object({ c: { const: 7 } }), { c: REF }],
    ["one of several forms", { oneOf: [object({ k: { const: "a" } }), object({ k: { const: "b" } })] }, { k: REF }],
    ["what must not be", object({ k: { not: { type: "string" } } }), { k: REF }],
    ["a condition on it", when(object({ k: { const: "a" } }), { required: ["b"] }), { k: REF }],
    ["a composite enum", object({ o: { enum: [{ x: 1 }] } }), { o: { x: REF } }],
    ["within a bounded text", object({ t: { type: "string", minLength: 40, pattern: "^z" } }), { t: `to ${REF}` }],
    ["within one of some texts", object({ t: { enum: ["abc", "abd"] } }), { t: `ab${REF}` }],
    [
      "what the schema refers to",
      { ...object({ n: { $ref: "#/$defs/n" } }), $defs: { n: { type: "integer" } } },
      { n: REF },
    ],
    ["a place that a place refers to", object({ m: { type: "integer" }, n: { $ref: "#/properties/m" } }), { n: REF }],
    [
      "beside a null that may be",
      object({ a: { type: ["string", "null"] }, b: { type: "integer" } }),
      { a: null, b: REF },
    ],
    [
      "a member that a condition knows",
      {
        ...when({ properties: { a: { const: 1 } } }, { properties: { b: {} } }),
        type: "object",
        unevaluatedProperties: false,
      },
      { a: REF, b: 1 },
    ],
  ])("%s", (_, schema, input) => {
    expect(templateIssues(schema, input, workBudget())).toEqual([]);
  });
});

describe("what is wrong whatever comes is told", () => {
  test.each([
    ["another value's type", object({ a: { type: "integer" }, b: {} }), { a: "x", b: REF }, "/a"],
    ["a required member", object({ a: {}, b: {} }, { required: ["a", "b"] }), { b: REF }, ""],
    ["a member that there is none of", object({ b: {} }, { additionalProperties: false }), { b: REF, c: 1 }, "/c"],
    ["an open member that there is none of", object({}, { additionalProperties: false }), { c: REF }, "/c"],
    ["another value's enum", object({ a: { enum: ["x"] }, b: {} }), { a: "y", b: REF }, "/a"],
    ["a boolean that may not be", object({ a: { type: "integer" }, b: {} }), { a: true, b: REF }, "/a"],
    ["a list that is too short", object({ l: { type: "array", minItems: 2 } }), { l: [REF] }, "/l"],
    ["a deeper value", object({ o: object({ x: { type: "integer" } }), b: {} }), { o: { x: "no" }, b: REF }, "/o/x"],
    [
      "none of the forms",
      { anyOf: [object({ k: { const: "a" } }), object({ k: { const: "b" } })] },
      { k: "c", z: REF },
      "",
    ],
    ["a schema that cannot be checked", object({ a: { $ref: "https://example.com/x" } }), { a: REF }, ""],
  ])("%s", (_, schema, input, path) => {
    expect(templateIssues(schema, input, workBudget()).map((issue) => issue.path)).toEqual([path]);
  });

  test("whatever else is wrong in five open places", () => {
    const strings = Object.fromEntries([..."abcdef"].map((name) => [name, { type: "integer" }]));
    const input = { a: REF, b: REF, c: REF, d: REF, e: REF, f: "six" };
    expect(templateIssues(object(strings), input, workBudget()).map(({ path }) => path)).toEqual(["/f"]);
  });
});
