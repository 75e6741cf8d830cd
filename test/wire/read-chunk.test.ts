import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChunkReading, readChunk } from "../../src/wire/read-chunk.ts";
import { eventJson } from "../../src/wire/write-event.ts";
import { itemsOf, memberOf, parseJson, readers, scalarOf } from "../support/json-readers.ts";
import { oddMembers, oddWords } from "../support/odd-answers.ts";

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

it("what_passes_as_it_came_reads_alike_to_every_reader_of_JSON", () => {
  let passed = 0;
  fc.assert(
    fc.property(oddMembers, fc.string(), (odd, content) => {
      const data = oddWords(content, odd);
      const reading = readChunk(data);
      if (reading.kind !== "chunk" || reading.words === undefined) return;
      const text = reading.words === "same" ? data : eventJson(reading.words);
      if (reading.words === "same") passed += 1;
      const found = readers.map((reader) => {
        const [choice] = itemsOf(memberOf(reader, parseJson(text), "choices"));
        return scalarOf(memberOf(reader, memberOf(reader, choice, "delta"), "content"));
      });
      expect(new Set(found).size).toBe(1);
    }),
    { numRuns: 2_000 },
  );
  expect(passed).toBeGreaterThan(100);
});

describe("what no upstream may say", () => {
  it.each([
    ["the gateway's own name", chunk({ content: "hi" }, null, { Toolgate: { approvals: [] } })],
    ["a second list of choices", chunk({ content: "hi" }, null, { Choices: [{ delta: { content: "other" } }] })],
    ["a second text", chunk({ content: "hi", Content: "other" })],
    ["a whole message", chunk({ content: "hi" }, null, { message: { content: "other" } })],
  ])("does not pass with words: %s", (_what, value) => {
    expect(read(value)).toMatchObject({ kind: "chunk", text: "hi", words: chunk({ content: "hi" }) });
    expect(JSON.stringify(read(value))).not.toMatch(/other|approvals/);
  });

  it("does not pass with a finish reason either", () => {
    const reading = read(chunk({}, "stop", { TOOLGATE: {}, Choices: [] }));
    expect(reading).toMatchObject({ finish: chunk({}, "stop"), chunk: chunk({}, "stop") });
  });

  it("is a repeat of the delta, its calls among it, and the delta is read", () => {
    const repeat = { tool_calls: [call], content: null };
    const event = { choices: [{ index: 0, delta: { tool_calls: [call] }, message: repeat, finish_reason: null }] };
    expect(read(event)).toMatchObject({ kind: "chunk", words: undefined, fragments: [{ choice: 0, value: call }] });
  });

  it("is not asked of zero values that some providers send", () => {
    const zero = { content: "4", function_call: { arguments: "", name: "" }, tool_calls: null };
    expect(read(chunk(zero, ""))).toMatchObject({ kind: "chunk", text: "4", fragments: [], finish: undefined });
    const blank = { index: 0, id: "", type: "", function: { name: "", arguments: "" } };
    expect(read(chunk({ content: "4", tool_calls: [blank] }))).toMatchObject({ text: "4", fragments: [] });
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
      finishReasons: ["tool_calls"],
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
    expect(read(chunk({}, "stop"))).toMatchObject({ words: undefined, finishReasons: ["stop"] });
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
    chunk({ vendor: { deep: [{ functionCall: { name: "f" } }] } }),
    { message: { tool_calls: [call] } },
    chunk({ content: [{ type: "function", function: { name: "f" } }] }),
    chunk({ content: "x", toolInvocations: [{ toolName: "f" }] }),
    chunk({ content: "x", "tool\u200b_calls": [call] }),
    chunk({ content: "x" }, null, { output: [{ type: "local_shell_call", action: {} }] }),
    chunk({ content: "x" }, null, { output: [{ type: "mcp_call", name: "f" }] }),
  ])("%j", (value) => {
    expect(read(value)).toMatchObject({ kind: "broken" });
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
