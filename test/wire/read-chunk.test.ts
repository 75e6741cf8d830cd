import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChunkReading, eventJson, findCallKey, readChunk } from "../../src/wire/read-chunk.ts";

const chunk = (delta: unknown, finish: unknown = null, more: object = {}) => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const read = (value: unknown): ChunkReading => readChunk(JSON.stringify(value));
const call = { index: 0, id: "1", type: "function", function: { name: "f", arguments: "{}" } };

describe("words", () => {
  it.each([
    chunk({ content: "hi" }),
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "hm", refusal: null }),
    chunk({ content: "x" }, null, { vendor: { a: [1] }, obfuscation: "zz", usage: null }),
    chunk({ content: "x" }, "", { usage: { total_tokens: 1 } }),
    { choices: [] },
    { vendor: true },
  ])("pass as they came (%#)", (value) => {
    expect(read(value)).toMatchObject({ kind: "chunk", words: "same", fragments: [], finish: undefined });
  });

  it.each([
    ["a name of calls in the text", chunk({ content: "call tool_calls" })],
    ["an empty list of calls", chunk({ content: "x", tool_calls: [] })],
    ["null for calls", chunk({ content: "x", tool_calls: null, function_call: null })],
    ["a separator", chunk({ content: "a\u2028b" })],
  ])("with %s are written anew, and say the same", (_what, value) => {
    expect(read(value)).toMatchObject({ kind: "chunk", words: value });
  });

  it("with odd keys are written anew from what was parsed", () => {
    const odd = readChunk('{"id":"c","choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}');
    expect(odd).toMatchObject({ words: { choices: [{ delta: { content: "b" } }] }, text: "b" });
  });

  it("lose a whole message that is sent with them", () => {
    const reading = read({ choices: [{ index: 0, delta: { content: "a" }, message: { content: "all" } }] });
    expect(JSON.stringify(reading.kind === "chunk" && reading.words)).not.toContain("all");
  });

  it("are the same to every reader: whatever passes as it came says what was parsed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, content) => {
        const data = JSON.stringify({ vendor: value, choices: [{ index: 0, delta: { content } }] });
        const reading = readChunk(data);
        if (reading.kind !== "chunk" || reading.words !== "same") return;
        expect(reading.text).toBe(content);
        expect(data).not.toMatch(/tool_?-?call|function_?-?call|tool_?-?use|[\u0085\u2028\u2029]/i);
      }),
    );
  });
});

describe("decisions", () => {
  it("are taken apart from words in one event", () => {
    const reading = read(
      chunk({ role: "assistant", content: "hi", tool_calls: [call] }, "tool_calls", { usage: { total_tokens: 3 } }),
    );
    expect(reading).toMatchObject({
      kind: "chunk",
      words: { id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "hi" }, finish_reason: null }] },
      fragments: [{ choice: 0, value: call }],
      finish: { choices: [{ delta: {}, finish_reason: "tool_calls" }], usage: { total_tokens: 3 } },
      finishReason: "tool_calls",
      usage: { total_tokens: 3 },
      text: "hi",
    });
    const { words } = reading as { words: Record<string, unknown> };
    expect(words).not.toHaveProperty("usage");
    expect(JSON.stringify(words)).not.toContain("tool_calls");
  });

  it("hold no words where the delta says nothing", () => {
    expect(read(chunk({ content: "", tool_calls: [call] }))).toMatchObject({ words: undefined, finish: undefined });
    expect(read(chunk({ content: null, role: "assistant" }, "stop"))).toMatchObject({ words: { choices: [{}] } });
    expect(read(chunk({}, "stop"))).toMatchObject({ words: undefined, finishReason: "stop" });
  });

  it("tell the choice that a fragment belongs to", () => {
    const second = { index: 1, delta: { tool_calls: [call] } };
    expect(read({ choices: [{ index: 0, delta: { content: "a" } }, second] })).toMatchObject({
      fragments: [{ choice: 1 }],
    });
  });

  it("are the account of a chunk without choices", () => {
    expect(read({ choices: [], usage: { total_tokens: 3 } })).toMatchObject({
      words: undefined,
      usage: { total_tokens: 3 },
    });
  });

  it.each(["x", 5, {}, [], false, ""])("are an error, whatever it is (%j)", (error) => {
    expect(read(chunk({ content: "x" }, null, { error }))).toEqual({ kind: "error", error });
  });
});

describe("what is broken", () => {
  it.each(["", "{", "[]", "5", '"x"', "null", "{} {}", '{"choices":{}}', '{"choices":"x"}'])("%s", (data) => {
    expect(readChunk(data)).toMatchObject({ kind: "broken" });
  });

  it.each([
    { choices: [5, { delta: { tool_calls: [call] }, finish_reason: "stop" }] },
    chunk({ tool_calls: "x" }),
    chunk({ tool_calls: { 0: call } }),
    chunk({}, 5),
    chunk([{ tool_calls: [call] }]),
    { choices: [[{ delta: { tool_calls: [call] } }]] },
    chunk({ vendor: { deep: [{ functionCall: {} }] } }),
    { message: { tool_calls: [call] } },
  ])("%j", (value) => {
    expect(read(value)).toMatchObject({ kind: "broken" });
  });
});

describe("findCallKey", () => {
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
  ])("finds %s at any depth", (key) => {
    expect(findCallKey({ a: [{ b: { [key]: { name: "f" } } }] })).toBe(key);
    expect(findCallKey({ [key]: "f" })).toBe(key);
    for (const empty of [null, undefined, [], 0, 3, true]) expect(findCallKey({ [key]: empty })).toBeUndefined();
  });

  it("finds a type that is a call's, and gives up on depth", () => {
    expect(findCallKey({ item: { type: "function_call" } })).toBe("function_call");
    expect(findCallKey(JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`))).toBe("(nested too deeply)");
  });
});

it("eventJson writes no character that ends a line anywhere", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("\u0085", "\u2028", "\u2029", "\n", "\r", '"', "\\", "a") }),
      (text) => {
        const json = eventJson({ text });
        expect(json).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(JSON.parse(json)).toEqual({ text });
      },
    ),
  );
});
