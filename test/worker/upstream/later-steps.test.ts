import { describe, expect, it } from "vitest";
import { accumulate, chunk, readSse, sse } from "../../support/sse.ts";
import { gateway, tool } from "../support/gateway.ts";
import { says, selects, user } from "../support/script.ts";

const eventStream = { headers: { "content-type": "text/event-stream" } };
const handshake = says({ text: "Let me see.", calls: [selects("general")] });

describe("a later step that the upstream refuses, after words have gone out", () => {
  it.each([
    [
      "an error body",
      429,
      { error: { message: "slow down", type: "rate_limit", code: "slow", param: null } },
      "slow down",
    ],
    ["a body without an error", 422, { detail: "bad" }, "the upstream answered 422"],
    ["an empty error", 500, { error: "" }, "the upstream answered 500"],
  ])("ends the stream with an error event: %s", async (_name, status, body, message) => {
    const gate = await gateway({
      policy: { tools: { read_file: { category: "read_only" } } },
      upstream: [handshake, () => Response.json(body, { status })],
    });
    const response = await gate.chat({ stream: true, messages: [user("go")], tools: [tool("read_file")] });
    const events = await readSse(response);
    const reply = accumulate(events);
    expect(reply.text).toBe("Let me see.");
    expect(reply.finishReason).toBeNull();
    expect(reply.error).toMatchObject({ message: expect.stringContaining(message) as string });
    expect(events.map((event) => event.data)).not.toContain("[DONE]");
    expect(await gate.turns()).toMatchObject([{ stop_reason: "upstream_error", steps: 2 }]);
  });
});

describe("what a stream holds beside its words", () => {
  it("is bounded", async () => {
    const signed = { extra_content: { google: { thought_signature: "x".repeat(60_000) } } };
    const made = { type: "function", function: { name: "read_file", arguments: "{}" }, ...signed };
    const calls = Array.from({ length: 40 }, (_, index) =>
      chunk({ tool_calls: [{ index, id: `c${index}`, ...made }] }),
    );
    const gate = await gateway({
      policy: { tools: { read_file: { category: "read_only" } } },
      upstream: () => new Response(sse([...calls, chunk({}, { finish: "tool_calls" })], { done: true }), eventStream),
    });
    const response = await gate.chat({ stream: true, messages: [user("go")], tools: [tool("read_file")] });
    const reply = accumulate(await readSse(response));
    expect(reply.toolCalls).toEqual([]);
    expect(reply.error).toMatchObject({ message: expect.stringContaining("too much beside its words") as string });
    expect(await gate.decisions()).toMatchObject([
      { tool: "read_file", effect: "deny", reasons: [{ code: "stream_disorderly" }] },
    ]);
  });
});
