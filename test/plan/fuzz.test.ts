/** Laws of plans, on whatever a model may write and a tool may give back. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseStrictJson } from "../../src/lib/json/strict-json.ts";
import { setLogLevel } from "../../src/lib/log.ts";
import { workBudget } from "../../src/lib/work-budget.ts";
import { bindStep } from "../../src/plan/bind.ts";
import { templatePlaces } from "../../src/plan/places.ts";
import { readPlan } from "../../src/plan/read-plan.ts";
import { referencesOf } from "../../src/plan/references.ts";
import { readTemplate } from "../../src/plan/template.ts";
import { templateIssues } from "../../src/plan/template-issues.ts";
import { validatePlan } from "../../src/plan/validate.ts";
import { cpuTime } from "../support/cpu-time.ts";
import { referenceTools } from "./reference-tools.ts";
import { planWith, scriptedModel } from "./scripted-planner.ts";

beforeAll(() => setLogLevel("off"));
// Files share a process.
afterAll(() => setLogLevel("info"));

const RUNS = { numRuns: 300 };

const hostileName = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "length",
  "hasOwnProperty",
  "then",
);
const id = fc.oneof(fc.constantFrom("a", "b", "c", "step_2", "PLACEHOLDER_x"), hostileName);
const segment = fc.oneof(
  fc.oneof(hostileName, fc.constantFrom("data", "email", "0")).map((name) => `.${name}`),
  fc
    .oneof(fc.nat(3).map(String), fc.constantFrom("00", "-1", "4294967295", "99999999999999999999"))
    .map((n) => `[${n}]`),
  fc.oneof(hostileName, fc.string({ maxLength: 8 })).map((name) => `[${JSON.stringify(name)}]`),
  fc.constantFrom(".", "()", '("return 1")()', "['x']", "{{", "}}"),
);
const template = fc
  .tuple(id, fc.array(segment, { maxLength: 5 }), fc.constantFrom("}}", "}", ""))
  .map(([step, path, end]) => `{{${step}.result${path.join("")}${end}`);
const text = fc.oneof(
  template,
  fc
    .array(
      fc.oneof(
        template,
        fc.string({ maxLength: 6 }),
        hostileName.map((name) => `{{PLACEHOLDER_${name}}}`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join("")),
);
const key = fc.oneof(hostileName, fc.constantFrom("input", "to", "operation", "data"), text);
/** As JSON text: `__proto__` and keys given twice included. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text.map((one) => JSON.stringify(one)),
    fc.constantFrom("null", "true", "1e400", "-0", "12345678901234567890", "7"),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(key, tie("value")), { maxLength: 3 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
  ),
})).value;
const step = fc
  .record({
    id: fc.option(id),
    tool: fc.constantFrom(...referenceTools.keys(), "constructor", "none"),
    input: jsonText,
  })
  .map((one) => `{"id":${JSON.stringify(one.id)},"tool":"${one.tool}","arguments":{"input":${one.input}}}`);
const planText = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `{"plan":[${steps.join(",")}]}`);

const values = (given: unknown) => JSON.parse(JSON.stringify(given)) as Record<string, unknown>;

test("no_answer_crashes_the_planner", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), jsonText, planText), async (answer) => {
      const planned = await planWith(scriptedModel(answer, answer).model);
      expect(planned.fault === null).toBe(planned.steps.length > 0);
    }),
    RUNS,
  );
});

test("a_valid_plan_refers_to_earlier_steps_alone", () => {
  let valid = 0;
  const anyTool = new Map([...referenceTools].map(([name, tool]) => [name, { ...tool, parameters: undefined }]));
  const lenient = { maxSteps: 20, tools: anyTool };
  const harmless = fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("a", "b", "c"))
    .map(([at, to]) => ({ at, to }));
  const plans = fc
    .array(harmless, { minLength: 1, maxLength: 4 })
    .map((steps) =>
      JSON.stringify(steps.map(({ at, to }) => ({ id: at, tool: "send_email", arguments: { x: `{{${to}.result}}` } }))),
    );
  const mixed = fc.oneof(
    planText,
    plans,
    fc.constant('[{"id":"a","tool":"send_email"},{"id":"b","tool":"send_email","arguments":{"x":"{{a.result}}"}}]'),
  );
  fc.assert(
    fc.property(mixed, (written) => {
      const read = readPlan(written, { ...lenient, work: workBudget() });
      if (!read.ok || !validatePlan(read.value, anyTool, workBudget()).ok) return;
      valid += 1;
      for (const [index, one] of read.value.entries()) {
        const earlier = read.value.slice(0, index).map((before) => before.id);
        for (const { step: to } of referencesOf(one)) expect(earlier).toContain(to);
      }
    }),
    RUNS,
  );
  expect(valid).toBeGreaterThan(20);
});

test("binding_reaches_own_members_alone_and_runs_nothing", () => {
  const poisoned = "polluted by a plan";
  Object.defineProperty(Object.prototype, "email", { value: poisoned, configurable: true });
  try {
    fc.assert(
      fc.property(jsonText, jsonText, (input, result) => {
        const given = bindStep(stepOf(input), { placeholders: [], values: {}, results: resultsOf(result) });
        if (given.ok) expect(JSON.stringify(given.value.arguments)).not.toContain(poisoned);
        else expect(given.error.code).toBe("reference_unresolved");
      }),
      RUNS,
    );
  } finally {
    Reflect.deleteProperty(Object.prototype, "email");
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("what_is_bound_is_not_bound_again", () => {
  fc.assert(
    fc.property(text, fc.jsonValue({ maxDepth: 2 }), (inner, other) => {
      const result = JSON.stringify({ data: [inner, other] });
      const input = JSON.stringify({
        x: "{{a.result.data[0]}}",
        y: "<{{a.result.data[0]}}>",
        z: "{{a.result.data[1]}}",
      });
      const given = bindStep(stepOf(input), { placeholders: [], values: {}, results: resultsOf(result) });
      // What two readers could take for different things is refused, and nothing else here is.
      expect(given.ok).toBe(parseStrictJson(result).ok);
      if (!given.ok) return;
      expect(given.value.arguments.x).toEqual({ x: inner, y: `<${inner}>`, z: values({ other }).other });
    }),
    RUNS,
  );
});

test("values_without_braces_are_bound_to_themselves", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
      const plain = JSON.stringify(input).replaceAll("{{", "{ {").replaceAll("__proto__", "proto");
      const given = bindStep(stepOf(plain), { placeholders: [], values: {}, results: new Map() });
      expect(given).toEqual({ ok: true, value: { arguments: { x: JSON.parse(plain) }, from: [] } });
    }),
    RUNS,
  );
});

test("a_template_is_the_text_that_it_was_read_from", () => {
  fc.assert(
    fc.property(text, (one) => {
      const again = readTemplate(one).map((part) => (part.kind === "text" ? part.text : part.source));
      expect(again.join("")).toBe(one);
    }),
    { numRuns: 2_000 },
  );
});

test("what_may_come_right_is_never_refused", () => {
  // Whatever fits is still let by where parts of it are not known yet.
  const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("x", "yy", null, true));
  const schema = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(
        {},
        { type: "integer" },
        { type: ["string", "null"] },
        { enum: ["x", 1] },
        { const: "yy" },
        { minimum: 2 },
      ),
      fc.record({ type: fc.constant("string"), minLength: fc.nat(3), pattern: fc.constant("^[xy]*$") }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b"), tie("node")),
        required: fc.subarray(["a", "b"]),
        additionalProperties: fc.boolean(),
      }),
      fc.record({ type: fc.constant("array"), items: tie("node"), uniqueItems: fc.boolean(), minItems: fc.nat(2) }),
      fc.record({ items: tie("node"), contains: tie("node") }),
      fc.record({ anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }) }),
      fc.record({ oneOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }), not: tie("node") }),
      fc.record({ allOf: fc.array(tie("node"), { maxLength: 2 }), not: tie("node") }),
      fc
        .tuple(tie("node"), tie("node"), tie("node"))
        .map(
          (of) =>
            JSON.parse(
              `{"if":${JSON.stringify(of[0])},"then":${JSON.stringify(of[1])},"else":${JSON.stringify(of[2])}}`,
            ) as object,
        ),
    ),
  })).node;
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie("node"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("node")),
    ),
  })).node;
  let fitted = 0;
  fc.assert(
    fc.property(schema, value, fc.infiniteStream(fc.nat(2)), (node, input, chance) => {
      if (templateIssues(node, input, workBudget()).length > 0) return;
      fitted += 1;
      const opened = openSome(input, chance);
      expect(templateIssues(node, opened, workBudget())).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
  expect(fitted).toBeGreaterThan(200);
});

test("hostile braces take linear time", () => {
  const many = 200_000;
  const hostile = [
    "{{",
    "{{a.",
    '{{a.result["',
    "{{PLACEHOLDER_",
    "{{a.result.x",
    "}}{{",
    "{{ ",
    '{{a.result["\\',
    "{{a.result[0]",
  ];
  for (const unit of hostile) {
    for (const end of ["", "}}"]) {
      const spent = cpuTime(() => templatePlaces({ x: unit.repeat(many) + end }));
      expect(spent, unit).toBeLessThan(500);
    }
  }
});

const stepOf = (input: string) => ({
  id: "z",
  intent: "Z",
  tool: "t",
  arguments: { input: { x: JSON.parse(input) as unknown } },
});

const resultsOf = (result: string) => new Map(["a", "b", "c", "step_2"].map((one) => [one, result]));

/** Some of the values made references, and some texts made to hold one. */
function openSome(input: unknown, chance: fc.Stream<number>): unknown {
  const [roll = 0] = [...chance.take(1)];
  if (roll === 0) return "{{a.result.x}}";
  if (typeof input === "string" && roll === 1) return `${input}{{a.result.x}}`;
  if (Array.isArray(input)) return input.map((item) => openSome(item, chance));
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([name, part]) => [name, openSome(part, chance)]));
}
