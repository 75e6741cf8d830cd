/** Prompts on their way through the turn: what it does not change comes out as it went in. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { generateText, streamText } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatMessages, promptOf } from "../../../src/packages/ai-sdk/chat-messages.ts";
import { openDesk } from "../support/desk.ts";
import { call, finish, says } from "../support/scripted-model.ts";

const words = fc.string({ maxLength: 12 });
const options = fc.option(fc.constant({ anthropic: { cacheControl: { type: "ephemeral" } } }), { nil: undefined });
const withOptions = <T extends object>(arbitrary: fc.Arbitrary<T>) =>
  fc
    .tuple(arbitrary, options)
    .map(([part, providerOptions]) => (providerOptions ? { ...part, providerOptions } : part));
const textPart = withOptions(words.map((text) => ({ type: "text" as const, text })));
const filePart = withOptions(
  fc
    .uint8Array({ maxLength: 4 })
    .map((data) => ({ type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data } })),
);
const output = fc.oneof(
  words.map((value) => ({ type: "text" as const, value })),
  fc.jsonValue().map((value) => ({ type: "json" as const, value: value as never })),
  words.map((value) => ({ type: "error-text" as const, value })),
  words.map((reason) => ({ type: "execution-denied" as const, reason })),
  words.map((text) => ({ type: "content" as const, value: [{ type: "text" as const, text }] })),
);
const id = fc.constantFrom("a", "b", "c");
const callPart = fc
  .tuple(id, fc.jsonValue())
  .map(([toolCallId, input]) => ({ type: "tool-call" as const, toolCallId, toolName: "t", input }));
const resultPart = withOptions(
  fc
    .tuple(id, output)
    .map(([toolCallId, value]) => ({ type: "tool-result" as const, toolCallId, toolName: "t", output: value })),
);
const thought = words.map((text) => ({
  type: "reasoning" as const,
  text,
  providerOptions: { anthropic: { signature: "s" } },
}));
const message: fc.Arbitrary<LanguageModelV4Message> = fc.oneof(
  withOptions(words.map((content) => ({ role: "system" as const, content }))),
  withOptions(
    fc
      .array(fc.oneof(textPart, filePart), { minLength: 1, maxLength: 3 })
      .map((content) => ({ role: "user" as const, content })),
  ),
  withOptions(
    fc
      .array(fc.oneof(textPart, thought, callPart), { minLength: 1, maxLength: 3 })
      .map((content) => ({ role: "assistant" as const, content })),
  ),
  withOptions(
    fc.array(resultPart, { minLength: 1, maxLength: 3 }).map((content) => ({ role: "tool" as const, content })),
  ),
);

/** Two messages of results in a row are one to a provider. */
const isTold = (prompt: LanguageModelV4Prompt): boolean =>
  prompt.every(({ role }, at) => role !== "tool" || prompt[at - 1]?.role !== "tool");

describe("law: an_unchanged_prompt_comes_back_as_it_was", () => {
  it("holds for prompts of all parts", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }).filter(isTold), (prompt) => {
        expect(promptOf(chatMessages(prompt), new Map())).toEqual(prompt);
      }),
    );
  });

  it("holds for copies, which the turn makes of what it does not change", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }).filter(isTold), (prompt) => {
        const copies = chatMessages(prompt).map((chat) => ({ ...chat }));
        expect(promptOf(copies, new Map())).toEqual(prompt);
      }),
    );
  });
});

describe("an answer that the caller never sees", () => {
  it("goes back to the model with its signed thoughts", async () => {
    const { script, settings } = openDesk();
    const signature = { anthropic: { signature: "signed" } };
    script.script(
      [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "I should delete it." },
        { type: "reasoning-end", id: "r", providerMetadata: signature },
        ...call({ id: "a", tool: "delete_file", input: { path: "a.ts" } }),
        finish("tool-calls"),
      ],
      says("I may not."),
    );
    const result = streamText({ ...settings, messages: [{ role: "user", content: "Hello there" }] });
    expect(await result.text).toBe("I may not.");
    const assistant = script.asked[1]?.prompt.find(({ role }) => role === "assistant");
    expect(assistant?.content).toMatchObject([
      { type: "reasoning", text: "I should delete it.", providerOptions: signature },
      { type: "tool-call", toolCallId: "a", toolName: "delete_file" },
    ]);
  });

  it("keeps the parts of the messages that stand before it", async () => {
    const { script, settings } = openDesk();
    script.script(says("A cat."));
    const image = new Uint8Array([137, 80, 78, 71]);
    await generateText({
      ...settings,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "file", data: image, mediaType: "image/png" },
          ],
        },
      ],
    });
    expect(script.asked[0]?.prompt.at(-1)?.content).toMatchObject([
      { type: "text" },
      { type: "file", mediaType: "image/png" },
    ]);
  });
});
