import { describe, expect, it } from "vitest";
import { approvePlanBody, cancelPlanBody, readCreatePlan, readRunPlan } from "../../../src/http/plans/plan-requests.ts";
import { parseJson } from "../../../src/http/read-json.ts";

const bytes = (body: unknown): ArrayBuffer =>
  new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)).buffer as ArrayBuffer;
const result = { tool_call_id: "a", content: "x" };

describe("the body that makes a plan", () => {
  it("needs the input alone", () => {
    expect(readCreatePlan(bytes({ input: "go" }))).toEqual({
      ok: true,
      value: { input: "go", tools: [], wire: [], model: "", mode: undefined, stream: false },
    });
  });

  it.each([
    ["no input", {}, "input"],
    ["a command", { input: "/toolgate undo" }, "input"],
    ["a tool that is no function", { input: "x", tools: [{ type: "custom" }] }, "tools[0].type"],
    ["a stream that is no flag", { input: "x", stream: "yes" }, "stream"],
    ["an unknown member", { input: "x", messages: [] }, "messages"],
  ])("is refused with %s", (_, body, param) => {
    expect(readCreatePlan(bytes(body))).toMatchObject({ ok: false, error: { status: 400, param } });
  });
});

describe("the body that runs a plan", () => {
  it("may be absent, and streams unless it says otherwise", () => {
    const nothing = { values: {}, results: [], repeatUnknown: false, stream: true };
    expect(readRunPlan(bytes(""))).toEqual({ ok: true, value: nothing });
    expect(readRunPlan(bytes({ stream: null, results: null, placeholders: null }))).toEqual({
      ok: true,
      value: nothing,
    });
    expect(readRunPlan(bytes({ stream: false }))).toMatchObject({ value: { stream: false } });
  });

  it("brings results as tool messages: text, parts of text, or JSON", () => {
    const contents = ["x", [{ type: "text", text: "y" }], { n: 1 }, null];
    const results = contents.map((content, n) => ({ tool_call_id: `c${n}`, content }));
    expect(readRunPlan(bytes({ results }))).toMatchObject({
      value: { results: [{ text: "x" }, { text: "y" }, { text: '{"n":1}' }, { text: "null" }] },
    });
  });

  it.each([
    ["a result without content", { results: [{ tool_call_id: "a" }] }, "invalid_value"],
    ["two results of one call", { results: [result, { ...result, content: "y" }] }, "invalid_value"],
    ["an unknown member of a result", { results: [{ ...result, trusted: true }] }, "unknown_parameter"],
    ["placeholders that are no object", { placeholders: ["x"] }, "invalid_value"],
    ["a key twice", '{"placeholders":{},"placeholders":{}}', "invalid_json"],
  ])("is refused with %s", (_, body, code) => {
    expect(readRunPlan(bytes(body))).toMatchObject({ ok: false, error: { status: 400, code } });
  });
});

it("an approval names the digest, and a cancellation names nothing", () => {
  expect(parseJson(bytes({ digest: "d" }), approvePlanBody)).toEqual({ ok: true, value: { digest: "d", values: {} } });
  expect(parseJson(bytes({ digest: "" }), approvePlanBody).ok).toBe(false);
  expect(parseJson(bytes(""), cancelPlanBody).ok).toBe(true);
  expect(parseJson(bytes({ why: 1 }), cancelPlanBody).ok).toBe(false);
});
