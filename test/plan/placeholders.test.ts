import { expect, test } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { bindStep } from "../../src/plan/bind.ts";
import { valueIssues } from "../../src/plan/placeholders.ts";
import { planToolsOf } from "../../src/plan/plan.ts";
import { usableTools } from "../../src/policy/usable-tools.ts";
import { policyOf } from "../support/policy.ts";
import { madePlan, oneStep } from "./made-plan.ts";
import { toolsOf } from "./reference-tools.ts";

const P = "{{PLACEHOLDER_p}}";
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

/** The one placeholder of a step with these arguments. */
function placeholderOf(parameters: unknown, input: object) {
  const { placeholders } = madePlan(oneStep("t", input), toolsOf({ name: "t", parameters }));
  const [placeholder, other] = placeholders;
  if (placeholder === undefined || other !== undefined) throw new Error("not one placeholder");
  return placeholder;
}

const integer = { type: "integer" };
const short = { type: "string", maxLength: 3 };

test.each([
  ["its place's", object({ a: integer }), { a: P }, integer],
  ["text, where nothing is said", object({}), { a: P }, { type: "string" }],
  ["text, where there is no schema", undefined, { a: P }, { type: "string" }],
  ["text, where everything is allowed", object({ a: true }), { a: P }, { type: "string" }],
  ["text within a text", object({ a: short }), { a: `to ${P}` }, { type: "string" }],
  ["an item's", object({ l: { type: "array", items: integer } }), { l: [1, P] }, integer],
  ["a place's in a tuple", object({ l: { prefixItems: [short, integer] } }), { l: ["x", P] }, integer],
  ["a member's of any name", object({}, { additionalProperties: integer }), { a: P }, integer],
  [
    "an alternative's",
    { anyOf: [object({ a: integer }), object({ a: short })] },
    { a: P },
    { anyOf: [integer, short] },
  ],
  ["all of them", object({ a: integer, b: { minimum: 3 } }), { a: P, b: P }, { allOf: [integer, { minimum: 3 }] }],
  ["once, where they are the same", object({ a: integer, b: integer }), { a: P, b: P }, integer],
  ["that of the place it fills", object({ a: integer, b: short }), { a: P, b: `in ${P}` }, integer],
])("what a placeholder takes is %s", (_, parameters, input, schema) => {
  expect(placeholderOf(parameters, input).schema).toEqual(schema);
});

test("a schema that refers to others brings them along", () => {
  const $defs = { day: { enum: ["today", "tomorrow"] }, when: object({ day: { $ref: "#/$defs/day" } }) };
  const parameters = object({ w: { $ref: "#/$defs/when" }, d: { $ref: "#/$defs/day" } }, { $defs });
  const whole = placeholderOf(parameters, { w: P });
  expect(valueIssues([whole], { p: { day: "today" } }, workBudget())).toEqual([]);
  expect(valueIssues([whole], { p: { day: "never" } }, workBudget())).toMatchObject([{ name: "p", path: "/day" }]);
  expect(placeholderOf(parameters, { d: P }).schema).toEqual($defs.day);
});

test.each([
  ["a member that is not required", object({ a: integer }), { a: P }, true],
  ["a required one", object({ a: integer }, { required: ["a"] }), { a: P }, false],
  ["an item of a list that is not", object({ l: { items: integer } }), { l: [P] }, true],
  ["an item that a list must have", object({ l: { items: integer, minItems: 2 } }), { l: [1, P] }, false],
  ["within a text", object({ a: short }), { a: `to ${P}` }, false],
  ["where nothing is said", undefined, { a: P }, false],
  ["here not and there required", object({ a: integer, b: integer }, { required: ["b"] }), { a: P, b: P }, false],
])("%s: what may be left open, may be", (_, parameters, input, optional) => {
  const placeholder = placeholderOf(parameters, input);
  expect(placeholder.optional).toBe(optional);
  const step = { id: "a", intent: "A", tool: "t", arguments: { input } };
  expect(bindStep(step, { placeholders: [placeholder], values: {}, results: new Map() }).ok).toBe(optional);
});

test("one that nobody could fill in is a fault; a number may be an integer", () => {
  const plan = (a: object, b: object) => () => placeholderOf(object({ a, b }), { a: P, b: P });
  expect(plan(integer, short)).toThrow("arguments_invalid: the places of `{{PLACEHOLDER_p}}`");
  expect(plan(integer, { type: ["string", "number"] })()).toMatchObject({ name: "p" });
});

test("values are bounded, and only those of the plan's placeholders", () => {
  const placeholder = placeholderOf(undefined, { a: P });
  expect(valueIssues([placeholder], { p: "x".repeat(300_000) }, workBudget())).toMatchObject([{ name: "" }]);
  expect(valueIssues([placeholder], JSON.parse('{"__proto__":1}'), workBudget())).toMatchObject([
    { name: "__proto__" },
  ]);
});

test("tools whose provider is not linked are not planned with", () => {
  const policy = policyOf({
    tools: { mail: { category: "read_only", connection: "gmail", description: "Mail" }, note: {} },
  });
  const definitions = ["mail", "note"].map((name) => ({ name, description: "theirs", wire: undefined }));
  const named = (connections: string[]) => {
    const principal = { tenant: "t", user: "u", role: "user", authenticated: true, connections };
    const changedDefinitions = new Set<string>();
    const asking = { now: 0, principal, changedDefinitions, modes: ["default"], work: workBudget() };
    return planToolsOf(usableTools(policy, asking, definitions).usable);
  };
  expect([...named([]).keys()]).toEqual(["note"]);
  expect(named(["gmail"]).get("mail")).toMatchObject({
    description: "Mail",
    category: "read_only",
    connections: ["gmail"],
  });
});
