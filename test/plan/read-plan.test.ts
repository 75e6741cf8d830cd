import { describe, expect, test } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { readPlan } from "../../src/plan/read-plan.ts";
import { validatePlan } from "../../src/plan/validate.ts";
import { emailsFromJohn, referenceTools, toolsOf } from "./reference-tools.ts";

const reading = { maxSteps: 3, tools: referenceTools };
const textOf = (...steps: readonly unknown[]) => JSON.stringify({ plan: steps });
const read = (text: string, tools = referenceTools) => {
  const plan = readPlan(text, { ...reading, tools, work: workBudget() });
  return plan.ok ? plan.value : plan.error.code;
};
const inputOf = (args: unknown, parameters: unknown) => {
  const steps = read(textOf({ tool: "t", arguments: args }), toolsOf({ name: "t", parameters }));
  return typeof steps === "string" ? steps : steps[0]?.arguments.input;
};

describe("the form is read tolerantly", () => {
  const plan = JSON.stringify(emailsFromJohn);
  test.each([
    ["as it is asked for", plan],
    ["in a fence", `\`\`\`json\n${plan}\n\`\`\``],
    ["in a fence with words around it", `Here it is:\n\`\`\`\n${plan}\n\`\`\`\nGood luck.`],
    ["with words around it", `Sure! ${plan} That is all.`],
    ["after a thought", `<think>{"plan": what?}</think>${plan}`],
    ["as a bare list", JSON.stringify(emailsFromJohn.plan)],
    ["with its arguments as text", plan.replace(/\{"input".*?\}\}\}/, (args) => JSON.stringify(args))],
  ])("%s", (_, text) => expect(read(text)).toEqual(emailsFromJohn.plan));

  test("what is missing is filled in, and no id is taken from a step that has it", () => {
    const steps = read(
      textOf({ tool: "a" }, { tool: "b", id: "step_3", intent: " " }, { tool: "c", id: null, arguments: null }),
    );
    expect(steps).toMatchObject([
      { id: "step_1", intent: "Step 1", arguments: { input: {} } },
      { id: "step_3", intent: "Step 2" },
      { id: "step_3_", intent: "Step 3", arguments: { input: {} } },
    ]);
    expect(read(textOf({ id: 7, tool: "a" }))).toMatchObject([{ id: "7" }]);
  });
});

describe("arguments", () => {
  const to = { type: "object", properties: { to: { type: "string" } }, required: ["to"], additionalProperties: false };
  const nested = { type: "object", properties: { input: to }, required: ["input"], additionalProperties: false };
  test.each([
    ["wrapped", { input: { to: "x" } }, to, { to: "x" }],
    ["not wrapped", { to: "x" }, to, { to: "x" }],
    ["wrapped, of a tool that says nothing", { input: { to: "x" } }, undefined, { to: "x" }],
    ["a tool's own input", { input: { to: "x" } }, nested, { input: { to: "x" } }],
    ["a tool's own input, wrapped", { input: { input: { to: "x" } } }, nested, { input: { to: "x" } }],
    ["a tool's own input, open", { input: { to: "{{a.result}}" } }, nested, { input: { to: "{{a.result}}" } }],
    ["a tool's own input that is wrong", { input: {} }, nested, { input: {} }],
    ["wrapped and wrong", { input: { from: 1 } }, to, { from: 1 }],
    ["an input that is a text", { input: "x" }, undefined, { input: "x" }],
    ["an input beside another", { input: {}, b: 1 }, undefined, { input: {}, b: 1 }],
  ])("%s", (_, args, parameters, input) => expect(inputOf(args, parameters)).toEqual(input));
});

test.each([
  ["nothing", "", "not_understood"],
  ["no JSON", "{plan}", "not_understood"],
  ["another shape", '{"steps":[]}', "not_understood"],
  ["a plan by inheritance", '{"__proto__":{"plan":[]}}', "not_understood"],
  ["null", "null", "not_understood"],
  ["a step that is none", "[1]", "not_understood"],
  ["a step without a tool", textOf({ id: "a" }), "not_understood"],
  ["arguments that are a list", textOf({ tool: "a", arguments: [] }), "not_understood"],
  ["arguments as text that is no object", textOf({ tool: "a", arguments: "[]" }), "not_understood"],
  ["a key twice", '[{"tool":"a","tool":"b"}]', "not_understood"],
  ["a key twice within", '[{"tool":"a","arguments":{"x":1,"x":2}}]', "not_understood"],
  ["`__proto__`", '[{"tool":"a","arguments":{"__proto__":1}}]', "not_understood"],
  ["`__proto__` in a text", textOf({ tool: "a", arguments: '{"__proto__":1}' }), "not_understood"],
  ["a number that is another", '[{"tool":"a","arguments":{"x":12345678901234567890}}]', "not_understood"],
  ["nesting", `[{"tool":"a","arguments":${"[".repeat(200)}${"]".repeat(200)}}]`, "not_understood"],
  ["an id twice", textOf({ id: "a", tool: "x" }, { id: "a", tool: "y" }), "not_understood"],
  ["an id twice, once as a number", textOf({ id: 1, tool: "x" }, { id: "1", tool: "y" }), "not_understood"],
  ["an id that is none", textOf({ id: "find lead", tool: "x" }), "not_understood"],
  ["an id that every object has", textOf({ id: "constructor", tool: "x" }), "not_understood"],
  ["an id of another type", textOf({ id: {}, tool: "x" }), "not_understood"],
  ["no steps", '{"plan":[]}', "nothing_to_do"],
  ["too many steps", textOf(...Array(4).fill({ tool: "a" })), "plan_too_large"],
  ["too long a text", textOf({ tool: "a", intent: "x".repeat(300_000) }), "plan_too_large"],
])("%s is refused", (_, text, code) => expect(read(text)).toBe(code));

describe("a plan is validated", () => {
  const any = toolsOf({ name: "t" });
  const faultOf = (...inputs: readonly object[]) => {
    const steps = read(
      textOf(...inputs.map((input, index) => ({ id: `s${index}`, tool: "t", arguments: { input } }))),
      any,
    );
    if (typeof steps === "string") return steps;
    const valid = validatePlan(steps, any, workBudget());
    return valid.ok ? "valid" : `${valid.error[0]?.code} ${valid.error[0]?.step} ${valid.error[0]?.path}`;
  };

  test.each([
    ["an earlier step", [{}, { x: "{{s0.result.a}}" }], "valid"],
    ["itself", [{}, { x: "{{s1.result.a}}" }], "reference_invalid s1 /x"],
    ["a later step", [{ x: ["{{s1.result.a}}"] }, {}], "reference_invalid s0 /x/0"],
    ["a step that is none", [{ x: "to {{s9.result.a}}" }], "reference_invalid s0 /x"],
    ["something else", [{ x: "{{user.name}}" }], "reference_invalid s0 /x"],
    ["a step without its result", [{}, { x: "{{ s0 }}" }], "reference_invalid s1 /x"],
    ["code", [{}, { x: '{{s0.result.constructor("return 1")()}}' }], "reference_invalid s1 /x"],
    ["a reference in a name", [{}, { "{{s0.result.a}}": 1 }], "reference_invalid s1 /{{s0.result.a}}"],
    ["a placeholder in a name", [{ o: { "{{PLACEHOLDER_x}}": 1 } }], "reference_invalid s0 /o/{{PLACEHOLDER_x}}"],
    ["text in braces", [{ x: "Dear {{name}}, {{#each}}" }], "valid"],
  ])("%s", (_, inputs, told) => expect(faultOf(...inputs)).toBe(told));

  test("placeholders are bounded, and so are the places", () => {
    const names = (count: number) => ({ l: Array.from({ length: count }, (_, index) => `{{PLACEHOLDER_p${index}}}`) });
    expect(faultOf(names(64))).toBe("valid");
    expect(faultOf(names(65))).toMatch(/^plan_too_large/);
    expect(faultOf({ l: Array(600).fill("{{PLACEHOLDER_p}}") })).toMatch(/^plan_too_large/);
  });

  test("a tool that is not permitted is unknown, and ends no quotation", () => {
    const steps = read(textOf({ tool: "send`\u202e" }));
    const valid = typeof steps === "string" ? steps : validatePlan(steps, referenceTools, workBudget());
    expect(valid).toMatchObject({ ok: false, error: [{ code: "tool_unknown", step: "step_1" }] });
    expect(JSON.stringify(valid)).toContain("`send'\ufffd`");
  });
});
