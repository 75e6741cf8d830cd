import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../src/policy/facts.ts";
import { checkToolChoice, readToolChoice, wireToolChoice } from "../../src/wire/tool-choice.ts";

const definition = (name: string): ToolDefinition => ({
  name,
  description: undefined,
  parameters: undefined,
  wire: { name },
});
const tools = [definition("a"), definition("b")];
const named = (name: string) => ({ type: "function", function: { name } });

const read = (value: unknown, known: readonly ToolDefinition[]) => {
  const choice = readToolChoice(value);
  return choice.ok ? checkToolChoice(choice.value, known) : choice;
};

describe("readToolChoice and checkToolChoice", () => {
  it.each([
    [undefined, { kind: "auto", explicit: false }],
    [null, { kind: "auto", explicit: false }],
    ["auto", { kind: "auto", explicit: true }],
    ["none", { kind: "none", explicit: true }],
    ["required", { kind: "required", explicit: true }],
    [named("a"), { kind: "named", tool: "a" }],
    [
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [named("b")] } },
      { kind: "subset", required: false, tools: ["b"] },
    ],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "a" }, named("b")] },
      { kind: "subset", required: true, tools: ["a", "b"] },
    ],
  ])("reads %j", (value, choice) => {
    expect(read(value, tools)).toEqual({ ok: true, value: choice });
  });

  it.each([
    "always",
    5,
    true,
    [],
    {},
    { type: "function" },
    { type: "function", name: "a" },
    named("c"),
    named("constructor"),
    { type: "custom", custom: { name: "a" } },
    { type: "allowed_tools" },
    { type: "allowed_tools", allowed_tools: { mode: "auto" } },
    { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } },
    { type: "allowed_tools", allowed_tools: { mode: "any", tools: [named("a")] } },
    { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [named("a"), named("c")] } },
    { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [null] } },
  ])("refuses %j and says where", (value) => {
    expect(read(value, tools)).toMatchObject({ ok: false, error: { param: "tool_choice" } });
  });

  it("refuses `required` without tools", () => {
    expect(read("required", [])).toMatchObject({ ok: false, error: { param: "tool_choice" } });
    expect(read("none", [])).toMatchObject({ ok: true });
  });
});

describe("wireToolChoice", () => {
  it("sends none that the client did not write", () => {
    expect(wireToolChoice({ kind: "auto", explicit: false }, ["a"], "select_intent")).toBeUndefined();
    expect(wireToolChoice({ kind: "auto", explicit: true }, ["a"], undefined)).toBe("auto");
    expect(wireToolChoice({ kind: "required", explicit: true }, ["a"], undefined)).toBe("required");
  });

  it("narrows a subset to what is offered and adds the handshake tool", () => {
    expect(wireToolChoice({ kind: "subset", required: true, tools: ["a", "b"] }, ["b", "c"], "select_intent")).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [named("b"), named("select_intent")] },
    });
  });

  it("sends `none` for a subset of which nothing is left: providers refuse an empty one", () => {
    const subset = { kind: "subset", required: false, tools: ["a"] } as const;
    expect(wireToolChoice(subset, ["b"], undefined)).toBe("none");
    expect(wireToolChoice(subset, ["b"], "select_intent")).toMatchObject({ type: "allowed_tools" });
  });

  it("sends a named tool as it was named", () => {
    expect(wireToolChoice({ kind: "named", tool: "a" }, ["a"], undefined)).toEqual(named("a"));
  });
});
