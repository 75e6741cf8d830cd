import { describe, expect, it } from "vitest";
import { findCallName, isBlank } from "../../src/wire/call-names.ts";

describe("findCallName", () => {
  it.each([
    "tool_calls",
    "toolCalls",
    "tool-calls",
    "tool_call",
    "TOOL_CALL",
    "function_call",
    "functionCalls",
    "tool_use",
    "server_tool_use",
    "toolInvocations",
    "tool\u200b_calls",
    "ｔｏｏｌ_ｃａｌｌｓ",
    "tool_call\u017f",
  ])("finds %j at any depth", (key) => {
    expect(findCallName({ a: [{ b: { [key]: { name: "f" } } }] })).toBe(key);
    expect(findCallName({ [key]: "f" })).toBe(key);
    for (const empty of [null, undefined, [], 0, 3, true]) expect(findCallName({ [key]: empty })).toBeUndefined();
  });

  it.each([
    "function",
    "Function",
    "tool",
    "custom",
    "function_call",
    "tool_use",
    "local_shell_call",
    "mcp_call",
    "tool-weather",
    "dynamic-tool",
    "tool-invocation",
  ])("finds an item of the type %j", (type) => {
    expect(findCallName({ content: [{ type, name: "f" }] })).toBe(type);
    expect(findCallName({ content: [{ Type: type }] })).toBe(type);
  });

  it.each(["text", "reasoning.text", "url_citation", "image_url", "thinking", "chat.completion.chunk", "recall"])(
    "takes an item of the type %j for words",
    (type) => {
      expect(findCallName({ content: [{ type }] })).toBeUndefined();
    },
  );

  it("gives up on depth", () => {
    expect(findCallName(JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`))).toBe("(nested too deeply)");
  });

  it("takes an object for no call whose every leaf is empty", () => {
    expect(findCallName({ function_call: { arguments: "", name: "" } })).toBeUndefined();
    expect(findCallName({ function_call: { arguments: "", name: "f" } })).toBe("function_call");
    expect(findCallName({ tool_calls: [{ id: "", function: { name: null, arguments: "" } }] })).toBeUndefined();
  });

  it("lets a provider tell what it ran itself, but no calls beside that", () => {
    const ran = { index: 0, type: "function", name: "python", arguments: "{}" };
    expect(findCallName({ executed_tools: [ran] })).toBeUndefined();
    expect(findCallName({ executed_tools: [{ ...ran, tool_calls: [ran] }] })).toBe("tool_calls");
    expect(findCallName({ others: [ran] })).toBe("function");
  });
});

it("isBlank ends at a depth that nobody fills with nothing", () => {
  const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}""${"]".repeat(depth)}`);
  expect([isBlank(nested(5)), isBlank(nested(100_000)), isBlank(0), isBlank(false)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
