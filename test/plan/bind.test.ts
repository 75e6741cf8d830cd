import { describe, expect, test } from "vitest";
import { bindStep, referencesOf } from "../../src/plan/bind.ts";
import { type Placeholder, planDigest, templateDigest } from "../../src/plan/plan.ts";

const stepOf = (input: Record<string, unknown>) => ({ id: "b", intent: "B", tool: "t", arguments: { input } });
const open = (name: string, optional: boolean): Placeholder => ({ name, schema: {}, optional, places: [] });

/** What `x` becomes where the step `a` gave back `result`, as text. */
function bound(
  x: unknown,
  result: string | null,
  values: Record<string, unknown> = {},
  placeholders: Placeholder[] = [],
) {
  const given = bindStep(stepOf({ x }), { placeholders, values, results: new Map([["a", result]]) });
  return given.ok ? given.value.arguments.x : `${given.error.code} ${given.error.path}`;
}

const DATA = JSON.stringify({
  n: 7,
  z: null,
  t: "txt",
  yes: true,
  list: [{ id: 1 }, [2]],
  o: { k: 1 },
  "0": "zero",
  "": "e",
});

describe("a reference that is the whole string keeps its value's type", () => {
  test.each([
    ["{{a.result.n}}", 7],
    ["{{a.result.z}}", null],
    ["{{a.result.yes}}", true],
    ["{{a.result.o}}", { k: 1 }],
    ["{{a.result.list[1][0]}}", 2],
    ["{{a.result.list.0.id}}", 1],
    ["{{a.result[0]}}", "zero"],
    ['{{a.result[""]}}', "e"],
  ])("%s", (text, value) => expect(bound(text, DATA)).toEqual(value));

  test("and within a text it has its text", () => {
    expect(bound("n={{a.result.n}} {{a.result.t}} {{a.result.o}} {{a.result.yes}}", DATA)).toBe('n=7 txt {"k":1} true');
  });

  test("a tool that gave back no JSON gave back a text", () => {
    expect(bound("{{a.result}}", "plain {{a.result}} text")).toBe("plain {{a.result}} text");
    expect(bound("{{a.result.length}}", "plain")).toBe("reference_unresolved /x");
  });
});

describe("what leads nowhere is a fault of the step, with its place and no value", () => {
  test.each([
    ["{{a.result.absent}}", DATA],
    ["{{a.result.list.length}}", DATA],
    ["{{a.result.list[2]}}", DATA],
    ["{{a.result.list[4294967295]}}", DATA],
    ["{{a.result.list.00}}", DATA],
    ["{{a.result.t.length}}", DATA],
    ["{{a.result.constructor}}", DATA],
    ["{{a.result.__proto__}}", DATA],
    ["{{a.result.list.constructor}}", DATA],
    ["{{a.result.toString.name}}", DATA],
    ["name: {{a.result.z}}", DATA],
    ["{{a.result.n}}", null],
    ["{{c.result.n}}", DATA],
    ["{{a.result.n}}", '{"n":1,"n":2}'],
    ["{{a.result}}", '{"n":1,"n":2}'],
    ["{{a.result.n}}", '{"n":1,"__proto__":{"m":2}}'],
    ["{{a.result.n}}", `{"n":1,"t":"${"x".repeat(256 * 1024)}"}`],
    ["{{a.result.id}}", '{"id":12345678901234567890}'],
    ["{{a.result}}", '{"id":12345678901234567890}'],
    ["{{PLACEHOLDER_p}}", DATA],
  ])("%s", (text, result) => expect(bound(text, result)).toBe("reference_unresolved /x"));

  test("a number that does not survive spoils only itself", () => {
    expect(bound("{{a.result.name}}", '{"id":12345678901234567890,"name":"x"}')).toBe("x");
  });

  test("the message names step and path", () => {
    const given = bindStep(stepOf({ o: { "a/b": ["{{a.result.no}}"] } }), {
      placeholders: [],
      values: {},
      results: new Map([["a", '{"secret":"hunter2"}']]),
    });
    expect(given).toMatchObject({ ok: false, error: { step: "b", path: "/o/a~1b/0" } });
    expect(JSON.stringify(given)).not.toContain("hunter2");
  });
});

describe("placeholders", () => {
  test("what the user fills in is put in as it is, and never read again", () => {
    const value = "{{a.result.n}} {{PLACEHOLDER_p}}";
    expect(bound("{{PLACEHOLDER_p}}", DATA, { p: value })).toBe(value);
    expect(bound("<{{PLACEHOLDER_p}}>", DATA, { p: value })).toBe(`<${value}>`);
    expect(bound("{{a.result.t}}", JSON.stringify({ t: value }))).toBe(value);
    expect(bound("{{PLACEHOLDER_p}}", DATA, { p: 30 })).toBe(30);
    expect(bound("{{PLACEHOLDER_p}}", DATA, { p: null })).toBe(null);
  });

  test("one that is optional leaves its member out, and the list that held nothing else", () => {
    const step = stepOf({
      a: "{{PLACEHOLDER_p}}",
      l: ["{{PLACEHOLDER_p}}"],
      m: ["{{PLACEHOLDER_p}}", 1],
      e: [],
      k: {},
    });
    const optional = bindStep(step, { placeholders: [open("p", true)], values: {}, results: new Map() });
    expect(optional).toMatchObject({ ok: true, value: { arguments: { m: [1], e: [], k: {} } } });
    expect(optional.ok && Object.keys(optional.value.arguments)).toEqual(["m", "e", "k"]);
    expect(bindStep(step, { placeholders: [open("p", false)], values: {}, results: new Map() }).ok).toBe(false);
  });

  test("a name that every object has is not filled in by that", () => {
    expect(bound("{{PLACEHOLDER_p}}", DATA, Object.create({ p: "inherited" }))).toBe("reference_unresolved /x");
  });
});

test("a step tells whose results stand in it", () => {
  const step = stepOf({ x: "{{a.result}} {{c.result.n}}", y: "{{a.result}}" });
  const results = new Map([
    ["a", "1"],
    ["c", '{"n":2}'],
    ["d", "3"],
  ]);
  expect(bindStep(step, { placeholders: [], values: {}, results })).toMatchObject({
    ok: true,
    value: { from: ["a", "c"] },
  });
  expect(referencesOf(step).map((one) => one.step)).toEqual(["a", "c", "a"]);
});

test("a result repeated a thousand times makes no gigabytes", () => {
  const big = JSON.stringify({ t: "x".repeat(200_000) });
  expect(bound(Array(1_000).fill("{{a.result.t}}"), big)).toMatch(/^reference_unresolved/);
  expect(bound("{{a.result.t}} ".repeat(1_000), big)).toBe("reference_unresolved /x");
});

test("a yes is bound to the steps, what they say, what is filled in, and the policy", () => {
  const plan = { id: "plan_1", steps: [stepOf({ x: "{{PLACEHOLDER_p}}" })], values: { p: 1 } };
  const digest = planDigest(plan, "p1");
  expect(planDigest(structuredClone(plan), "p1")).toBe(digest);
  expect(planDigest(plan, "p2")).not.toBe(digest);
  const [step = stepOf({})] = plan.steps;
  for (const other of [
    { ...plan, id: "plan_2" },
    { ...plan, values: { p: 2 } },
    { ...plan, values: {} },
    { ...plan, steps: [step, { ...step, id: "c" }] },
    { ...plan, steps: [{ ...step, tool: "u" }] },
    { ...plan, steps: [{ ...step, intent: "C" }] },
    { ...plan, steps: [stepOf({ x: "{{a.result}}" })] },
  ])
    expect(planDigest(other, "p1")).not.toBe(digest);
  const template = templateDigest(step, { p: 1, q: 1 });
  expect(templateDigest(step, { q: 2, p: 1 })).toBe(template);
  expect(templateDigest(step, { p: 2 })).not.toBe(template);
  expect(templateDigest(stepOf({ x: 1 }), { p: 1 })).not.toBe(template);
});
