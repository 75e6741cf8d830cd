import { describe, expect, test } from "vitest";
import { toCallOptions } from "../../../src/model/sdk/to-call-options.ts";
import { toPrompt } from "../../../src/model/sdk/to-prompt.ts";
import type { ToolDefinition } from "../../../src/policy/facts.ts";

const toolCall = (id: string, name: string, args: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

function promptOf(...messages: Record<string, unknown>[]) {
  const result = toPrompt(messages);
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

function problemOf(...messages: Record<string, unknown>[]) {
  const result = toPrompt(messages);
  return result.ok ? undefined : result.error.path;
}

describe("toPrompt", () => {
  test("system and developer messages are system messages", () => {
    const parts = [
      { type: "text", text: "b" },
      { type: "text", text: "c" },
    ];
    expect(promptOf({ role: "system", content: "a" }, { role: "developer", content: parts })).toEqual([
      { role: "system", content: "a" },
      { role: "system", content: "bc" },
    ]);
  });

  test("a user's text, images, audio and files", () => {
    const content = [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
      { type: "image_url", image_url: { url: "https://example.com/a.jpg" } },
      { type: "input_audio", input_audio: { data: "BBBB", format: "mp3" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,CCCC" } },
      { type: "file", file: { file_id: "file-1" } },
    ];
    expect(promptOf({ role: "user", content: "hi" }, { role: "user", content })).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          {
            type: "file",
            mediaType: "image/png",
            data: { type: "data", data: "AAAA" },
            providerOptions: { openai: { imageDetail: "low" } },
          },
          { type: "file", mediaType: "image", data: { type: "url", url: new URL("https://example.com/a.jpg") } },
          { type: "file", mediaType: "audio/mpeg", data: { type: "data", data: "BBBB" } },
          { type: "file", filename: "a.pdf", mediaType: "application/pdf", data: { type: "data", data: "CCCC" } },
          {
            type: "file",
            mediaType: "application/octet-stream",
            data: { type: "reference", reference: { openai: "file-1" } },
          },
        ],
      },
    ]);
  });

  test("an assistant's reasoning, text, refusal and calls, and the results under their tool's name", () => {
    const assistant = {
      role: "assistant",
      content: null,
      reasoning_content: "hm",
      refusal: "no",
      tool_calls: [
        toolCall("c1", "read_file", '{"path":"a"}'),
        toolCall("c2", "ping", ""),
        toolCall("c3", "x", "{bro"),
      ],
    };
    const results = [
      { role: "tool", tool_call_id: "c2", content: '{"ok":true}' },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "plain" }] },
      { role: "tool", tool_call_id: "c3", content: '{"id":12345678901234567890}' },
    ];
    expect(promptOf(assistant, ...results)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "no" },
          { type: "tool-call", toolCallId: "c1", toolName: "read_file", input: { path: "a" } },
          { type: "tool-call", toolCallId: "c2", toolName: "ping", input: {} },
          { type: "tool-call", toolCallId: "c3", toolName: "x", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c2", toolName: "ping", output: { type: "json", value: { ok: true } } },
          { type: "tool-result", toolCallId: "c1", toolName: "read_file", output: { type: "text", value: "plain" } },
          {
            type: "tool-result",
            toolCallId: "c3",
            toolName: "x",
            output: { type: "text", value: '{"id":12345678901234567890}' },
          },
        ],
      },
    ]);
  });

  test.each([
    ["an unknown part", "messages[1].content[1].type", { content: [{ type: "text", text: "a" }, { type: "video" }] }],
    [
      "an image that is neither data nor https",
      "messages[1].content[0].image_url.url",
      {
        content: [{ type: "image_url", image_url: { url: "http://10.0.0.1/a.png" } }],
      },
    ],
    ["a part that is no object", "messages[1].content[0]", { content: ["a"] }],
    ["content that is none", "messages[1].content", { content: 7 }],
    ["an unknown role", "messages[1].role", { role: "function", content: "a" }],
    [
      "a custom tool's call",
      "messages[1].tool_calls[0].type",
      { role: "assistant", tool_calls: [{ type: "custom", id: "1" }] },
    ],
    ["a result that answers no call", "messages[1].tool_call_id", { role: "tool", tool_call_id: "zz", content: "a" }],
  ])("%s is a problem with its path", (_, path, message) => {
    expect(problemOf({ role: "system", content: "s" }, { role: "user", ...message })).toBe(path);
  });
});

describe("toCallOptions", () => {
  const prompt = promptOf({ role: "user", content: "hi" });
  const tools: ToolDefinition[] = [
    {
      name: "a",
      description: "first",
      parameters: { type: "object", properties: { x: { type: "string" } } },
      wire: { type: "function", function: { name: "a", strict: true } },
    },
    { name: "b", wire: {} },
  ];
  const optionsOf = (body: Record<string, unknown>) => {
    const result = toCallOptions(body, { prompt, tools });
    if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
    return result.value;
  };

  test("settings take the interface's names, null is absent", () => {
    const body = {
      temperature: 0.5,
      top_p: null,
      max_tokens: 5,
      max_completion_tokens: 9,
      stop: "END",
      seed: 3,
      presence_penalty: 1,
      frequency_penalty: -1,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } },
    };
    expect(toCallOptions(body, { prompt, tools: [] })).toEqual({
      ok: true,
      value: {
        prompt,
        temperature: 0.5,
        maxOutputTokens: 9,
        stopSequences: ["END"],
        seed: 3,
        presencePenalty: 1,
        frequencyPenalty: -1,
        reasoning: "low",
        responseFormat: { type: "json", name: "n", schema: { type: "object" } },
      },
    });
    expect(optionsOf({ max_tokens: 5 }).maxOutputTokens).toBe(5);
  });

  test("tools are function tools, with `strict` from the client's object", () => {
    expect(optionsOf({}).tools).toEqual([
      {
        type: "function",
        name: "a",
        description: "first",
        inputSchema: { type: "object", properties: { x: { type: "string" } } },
        strict: true,
      },
      { type: "function", name: "b", inputSchema: { type: "object", properties: {} } },
    ]);
  });

  test("tool_choice in all its forms", () => {
    expect(optionsOf({}).toolChoice).toEqual({ type: "auto" });
    expect(optionsOf({ tool_choice: "none" }).toolChoice).toEqual({ type: "none" });
    expect(optionsOf({ tool_choice: "required" }).toolChoice).toEqual({ type: "required" });
    const named = { type: "function", function: { name: "b" } };
    expect(optionsOf({ tool_choice: named }).toolChoice).toEqual({ type: "tool", toolName: "b" });
    const allowed_tools = { mode: "required", tools: [named] };
    const narrowed = optionsOf({ tool_choice: { type: "allowed_tools", allowed_tools } });
    expect(narrowed.tools?.map(({ name }) => name)).toEqual(["b"]);
    expect(narrowed.toolChoice).toEqual({ type: "required" });
  });

  test.each([
    ["temperature", { temperature: "hot" }],
    ["stop", { stop: [1] }],
    ["response_format.type", { response_format: { type: "xml" } }],
    ["tool_choice", { tool_choice: { type: "function", function: { name: "zz" } } }],
    ["tool_choice", { tool_choice: "always" }],
  ])("a wrong %s is a problem", (path, body) => {
    expect(toCallOptions(body, { prompt, tools })).toMatchObject({ ok: false, error: { path } });
  });
});
