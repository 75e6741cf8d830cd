import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { sdkModel } from "../../../src/model/sdk/sdk-model.ts";
import type { StepRequest } from "../../../src/ports/model-port.ts";
import { newEnvelope } from "../../../src/wire/envelope.ts";

type Reason = LanguageModelV4FinishReason["unified"];

const usage = {
  inputTokens: { total: 3, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: undefined, reasoning: undefined },
};
const callPart = { type: "tool-call", toolCallId: "c1", toolName: "read_file", input: "{}" } as const;

function modelOf(reason: Reason, withCall: boolean): LanguageModelV4 {
  const finishReason = { unified: reason, raw: undefined };
  const parts: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    ...(withCall ? [callPart] : []),
    { type: "finish", finishReason, usage },
  ];
  return {
    specificationVersion: "v4",
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    doGenerate: async () => ({ content: withCall ? [callPart] : [], finishReason, usage, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
}

const request = (stream: boolean, body: Record<string, unknown> = {}): StepRequest => ({
  body: { model: "m", ...body },
  messages: [{ role: "user", content: "hi" }],
  tools: [],
  toolChoice: undefined,
  stream,
  envelope: newEnvelope(),
  adopt: false,
  headers: {},
  signal: new AbortController().signal,
});
const words = { write() {}, full: false, ready: async () => {}, started: false };
const step = (reason: Reason, withCall: boolean, stream: boolean, body?: Record<string, unknown>) =>
  sdkModel(modelOf(reason, withCall), () => 0).step(request(stream, body), words, () => {});

describe.each([true, false])("a model of the SDK (stream %s)", (stream) => {
  it.each(["stop", "tool-calls"] as const)("has its calls considered after `%s`", async (reason) => {
    expect(await step(reason, true, stream)).toMatchObject({ kind: "ended", calls: [{ name: "read_file" }] });
  });

  it.each(["length", "content-filter", "error", "other", "interrupted"] as const)(
    "has its calls refused after `%s`",
    async (reason) => {
      expect(await step(reason, true, stream)).toMatchObject({ kind: "disorderly", begun: ["read_file"] });
    },
  );

  it("that ends in an error ends in no clean end, also without calls", async () => {
    expect(await step("error", false, stream)).toMatchObject({ kind: "disorderly" });
  });
});

it("tells the closing usage of a stream only where the client asked", async () => {
  expect(await step("stop", false, true)).toMatchObject({ closing: undefined, usage: { total_tokens: 5 } });
  const asked = { stream_options: { include_usage: true } };
  expect(await step("stop", false, true, asked)).toMatchObject({
    closing: { choices: [], usage: { total_tokens: 5 } },
  });
});
