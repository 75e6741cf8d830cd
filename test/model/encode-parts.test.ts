import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import {
  createWordEncoder,
  encodeWordMessage,
  finishReasonToOpenAi,
  usageToOpenAi,
} from "../../src/wire/encode-parts.ts";

const head = { id: "chatcmpl-1", created: 1, model: "m" };
const source = { type: "source", sourceType: "url", id: "s", url: "https://a.example/", title: "A" } as const;
const citation = (start_index: number, end_index: number, title = "A") => ({
  type: "url_citation",
  url_citation: { url: "https://a.example/", title, start_index, end_index },
});

function deltas(parts: LanguageModelV4StreamPart[], options?: { role?: boolean }) {
  const encode = createWordEncoder(head, options);
  return parts.flatMap((part) => encode(part)?.choices[0].delta ?? []);
}

describe("createWordEncoder", () => {
  test("the first words carry the role, and each chunk the reply's head", () => {
    const encode = createWordEncoder(head);
    expect(encode({ type: "stream-start", warnings: [] })).toBeUndefined();
    expect(encode({ type: "reasoning-delta", id: "r", delta: "hm" })).toEqual({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { role: "assistant", reasoning_content: "hm" }, finish_reason: null }],
    });
    expect(encode({ type: "text-delta", id: "t", delta: "yes" })?.choices[0].delta).toEqual({ content: "yes" });
  });

  test("a later step's words carry no role", () => {
    expect(deltas([{ type: "text-delta", id: "t", delta: "more" }], { role: false })).toEqual([{ content: "more" }]);
  });

  test("calls, finish and empty deltas are no words", () => {
    const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: "{}" } as const;
    const input = { type: "tool-input-delta", id: "c", delta: "{}" } as const;
    expect(deltas([call, input, { type: "text-delta", id: "t", delta: "" }, { type: "ping" }])).toEqual([]);
  });

  test("sources and citations stand where their text stands", () => {
    const parts: LanguageModelV4StreamPart[] = [
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "12345" },
      { type: "text-end", id: "1" },
      { type: "text-start", id: "2" },
      { type: "text-delta", id: "2", delta: "678" },
      { type: "text-end", id: "2", citations: [{ source, startIndex: 1, endIndex: 3 }, { source }] },
      source,
      { type: "source", sourceType: "document", id: "d", mediaType: "text/plain", title: "no URL" },
    ];
    expect(deltas(parts, { role: false }).slice(2)).toEqual([
      { annotations: [citation(6, 8), citation(5, 8)] },
      { annotations: [citation(8, 8)] },
    ]);
  });
});

test("a whole message's words", () => {
  const message = encodeWordMessage([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "a" },
    { type: "text", text: "bc", citations: [{ source, startIndex: 0, endIndex: 2 }] },
    { type: "tool-call", toolCallId: "c", toolName: "t", input: "{}" },
  ]);
  expect(message).toEqual({
    role: "assistant",
    content: "abc",
    refusal: null,
    reasoning_content: "hm",
    annotations: [citation(1, 3)],
  });
  expect(encodeWordMessage([])).toEqual({ role: "assistant", content: null, refusal: null });
});

test.each([
  ["stop", "stop"],
  ["length", "length"],
  ["content-filter", "content_filter"],
  ["tool-calls", "tool_calls"],
  ["interrupted", "length"],
  ["error", "stop"],
  ["other", "stop"],
] as const)("finish reason %s is %s", (unified, expected) => {
  expect(finishReasonToOpenAi(unified)).toBe(expected);
});

test("usage is OpenAI's, a missing total the sum of its parts", () => {
  const outputTokens = { total: 7, text: 5, reasoning: 2 };
  const inputTokens = { total: undefined, noCache: 3, cacheRead: 4, cacheWrite: 1 };
  expect(usageToOpenAi({ inputTokens, outputTokens })).toEqual({
    prompt_tokens: 8,
    completion_tokens: 7,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  });
});
