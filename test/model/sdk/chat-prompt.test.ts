import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carriedThoughts, carryThoughts, type ThoughtBlock } from "../../../src/model/sdk/carried-thoughts.ts";
import { chatPrompt } from "../../../src/model/sdk/chat-prompt.ts";
import { UnsupportedRequest } from "../../../src/model/sdk/unsupported-request.ts";
import { vendorMembers } from "../../../src/wire/call-parts.ts";

const user = (content: unknown) => ({ role: "user", content });
const calling = (id: string, name = "f", args = "{}", more: object = {}) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: args }, ...more }],
});
const result = (id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const rolesOf = (messages: readonly unknown[]) => chatPrompt(messages).map(({ role }) => role);

describe("the prompt", () => {
  it("begins with what the system says, wherever it stood, in its order", () => {
    const messages = [
      user("a"),
      { role: "system", content: "1" },
      { role: "developer", content: [{ type: "text", text: "2" }] },
    ];
    expect(chatPrompt(messages)).toMatchObject([
      { role: "system", content: "1" },
      { role: "system", content: "2" },
      { role: "user" },
    ]);
  });

  it("has them where they stood for OpenAI's Responses API, and an image's detail", () => {
    const image = { type: "image_url", image_url: { url: "https://a.example/b.png", detail: "low" } };
    const messages = [user("a"), { role: "developer", content: "from now on" }, user([image])];
    const prompt = chatPrompt(messages, "responses");
    expect(prompt.map(({ role }) => role)).toEqual(["user", "system", "user"]);
    expect(prompt[2]?.content).toMatchObject([{ providerOptions: { openai: { imageDetail: "low" } } }]);
  });

  it("joins the results that follow each other, and names their tools", () => {
    const two = {
      role: "assistant",
      content: "",
      tool_calls: [...calling("a", "x").tool_calls, ...calling("b", "y").tool_calls],
    };
    const prompt = chatPrompt([user("go"), two, result("a"), result("b"), calling("c"), result("c")]);
    expect(prompt.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
    expect(prompt[2]?.content).toMatchObject([
      { toolCallId: "a", toolName: "x" },
      { toolCallId: "b", toolName: "y" },
    ]);
  });

  it("leaves out empty texts and messages that say nothing, which providers refuse", () => {
    expect(
      rolesOf([{ role: "system", content: "" }, user("a"), { role: "assistant", content: "" }, user("b")]),
    ).toEqual(["user", "user"]);
    expect(
      chatPrompt([
        user([
          { type: "text", text: "" },
          { type: "text", text: "a" },
        ]),
      ])[0]?.content,
    ).toHaveLength(1);
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ["", {}],
    ["[1]", {}],
    ["{broken", {}],
    ['"text"', {}],
    ["null", {}],
  ])("has the arguments %j of a call as an object", (args, input) => {
    expect(chatPrompt([calling("a", "f", args)])[0]?.content).toMatchObject([{ type: "tool-call", input }]);
  });

  it.each<[string, unknown]>([
    ["messages[0].role", { role: "function", name: "f", content: "" }],
    ["messages[0].content[0]", user([{ type: "video", video: "x" }])],
    ["messages[0].content[0]", user(["text"])],
    ["messages[0].content[0].image_url", user([{ type: "image_url", image_url: { url: "gopher://x" } }])],
    ["messages[0].content[0].image_url", user([{ type: "image_url", image_url: { url: "data:image/png,raw" } }])],
    ["messages[0].content[0]", { role: "system", content: [{ type: "image_url", image_url: "https://x.test/a.png" }] }],
    ["messages[0].tool_calls[0]", { role: "assistant", content: null, tool_calls: [{ id: "a", type: "custom" }] }],
    ["messages[0].tool_calls[0]", { role: "assistant", content: null, tool_calls: [{ function: { name: "f" } }] }],
    ["messages[0].tool_call_id", { role: "tool", content: "x" }],
  ])("refuses what has no form, at %s", (param, message) => {
    const thrown = (() => {
      try {
        return chatPrompt([message]);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(UnsupportedRequest);
    expect((thrown as UnsupportedRequest).param).toBe(param);
  });

  it("never throws anything else", () => {
    const message = fc.record(
      {
        role: fc.constantFrom("system", "user", "assistant", "tool", "developer"),
        content: fc.oneof(
          fc.string(),
          fc.jsonValue(),
          fc.array(fc.record({ type: fc.constantFrom("text", "file", "image_url") })),
        ),
        tool_calls: fc.jsonValue(),
        tool_call_id: fc.oneof(fc.string(), fc.jsonValue()),
        extra_content: fc.jsonValue(),
      },
      { requiredKeys: ["role"] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(message, fc.jsonValue()), { maxLength: 4 }), (messages) => {
        try {
          chatPrompt(messages);
        } catch (error) {
          expect(error).toBeInstanceOf(UnsupportedRequest);
        }
      }),
    );
  });

  it("brings thoughts back once, in front of what was said, whichever call has them", () => {
    const extra = carryThoughts([{ kind: "thinking", text: "hm", signature: "s" }]);
    const two = {
      role: "assistant",
      content: "I look.",
      tool_calls: [...calling("a").tool_calls, { ...calling("b").tool_calls[0], ...extra }],
    };
    expect(chatPrompt([two])[0]?.content).toMatchObject([
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
      { type: "text" },
      { type: "tool-call", toolCallId: "a" },
      { type: "tool-call", toolCallId: "b" },
    ]);
  });
});

it("thoughts come back as they were carried, unless they are too long to be", () => {
  const block: fc.Arbitrary<ThoughtBlock> = fc.oneof(
    fc.record({
      kind: fc.constant("thinking" as const),
      text: fc.string({ unit: "grapheme" }),
      signature: fc.base64String(),
    }),
    fc.record({ kind: fc.constant("redacted" as const), data: fc.base64String() }),
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
      expect(carriedThoughts(vendorMembers(carryThoughts(blocks)))).toEqual(blocks);
    }),
  );
  const long = carryThoughts([{ kind: "thinking", text: "x".repeat(100_000), signature: "s" }]);
  expect(vendorMembers(long)).toBeUndefined();
});
