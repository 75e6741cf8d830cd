import { expect, it } from "vitest";
import { chatFormat } from "../../../src/http/chat/chat-format.ts";
import { jsonReply } from "../../../src/http/surface/turn-reply.ts";
import type { Ending } from "../../../src/ports/turns/ending.ts";
import type { ChatRequest } from "../../../src/wire/chat-request.ts";

const request = { jsonMode: false, includeUsage: false } as ChatRequest;
const ending: Ending = { kind: "stop", stopReason: "completed", finishReason: "stop", text: "", words: "third" };

it("the gateway's own words are appended in a JSON body", async () => {
  const reply = jsonReply(
    { chat: request, user: undefined, format: chatFormat },
    "m",
    () => 0,
    new AbortController().signal,
  );
  reply.say("first");
  reply.say("\n\nsecond");
  await reply.finish(ending, {} as never, undefined);
  expect(await (await reply.response).json()).toMatchObject({
    choices: [{ message: { content: "first\n\nsecond\n\nthird" } }],
  });
});
