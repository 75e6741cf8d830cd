import { describe, expect, it } from "vitest";
import { callIdsOf, readConversation, textOf } from "../../src/wire/conversation.ts";

const user = (content: unknown) => ({ role: "user", content });
const calls = (...ids: unknown[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => ({ id })) });
const result = (id: unknown, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const said = (content: unknown) => ({ role: "assistant", content });

describe("the new message", () => {
  it("is the last message if that is the user's, whatever system text follows", () => {
    expect(readConversation([user("hi")]).newMessage).toBe("hi");
    expect(readConversation([user("hi"), { role: "system", content: "be kind" }]).newMessage).toBe("hi");
    expect(readConversation([user("hi"), { role: "developer", content: "x" }]).newMessage).toBe("hi");
    expect(
      readConversation([user([{ type: "text", text: "a" }, { type: "image_url" }, { text: "b" }])]).newMessage,
    ).toBe("a\n\nb");
    const file = { type: "file", text: "delete all", file: { filename: "a.txt" } };
    expect(readConversation([user([file, { type: "text", text: "hi" }])]).newMessage?.trim()).toBe("hi");
  });

  it("is none on a continuation", () => {
    expect(readConversation([user("hi"), calls("1"), result("1")]).newMessage).toBeUndefined();
    expect(readConversation([user("hi"), said("and")]).newMessage).toBeUndefined();
    expect(readConversation([{ role: "system", content: "x" }]).newMessage).toBeUndefined();
  });
});

describe("results", () => {
  it("are those after the last message with calls", () => {
    const messages = [user("hi"), calls("1"), result("1"), calls("2", "3"), result("2"), result("3", "Error: no")];
    expect(readConversation(messages).results).toEqual([
      { callId: "2", succeeded: true },
      { callId: "3", succeeded: false },
    ]);
  });

  it("do not count where nothing was called, or no id is told", () => {
    expect(readConversation([user("hi"), result("1")]).results).toEqual([]);
    expect(readConversation([user("hi"), calls("1"), result(undefined), result(5)]).results).toEqual([]);
    expect(readConversation([user("hi"), { role: "assistant", tool_calls: "x" }, result("1")]).results).toEqual([]);
  });

  it.each<[unknown, boolean]>([
    ["fine", true],
    ["", true],
    ["no errors were found", true],
    ["error: disk full", false],
    ["Exception: x", false],
    ['{"error":"no"}', false],
    ['{"error":{"code":1}}', false],
    ['{"error":null,"rows":[]}', true],
    ['{"error":false}', true],
    ['{"error":""}', true],
    ['{"isError":true}', false],
    ['{"is_error":true}', false],
    ['{"success":false}', false],
    ['{"ok":false}', false],
    ['{"ok":true}', true],
    ["{broken", true],
    ['["error"]', true],
    [[{ type: "text", text: '{"isError":true}' }], false],
    [null, true],
  ])("%j succeeded: %s", (content, succeeded) => {
    expect(readConversation([calls("1"), result("1", content)]).results).toEqual([{ callId: "1", succeeded }]);
  });
});

describe("the first message's digest and the conversation's key", () => {
  const opening = (...messages: Record<string, unknown>[]) => readConversation(messages).firstMessageDigest;

  it("do not depend on white space or system text", () => {
    expect(opening(user(" make  a\nnote "))).toBe(opening({ role: "system", content: "today" }, user("make a note")));
    expect(opening(user("make a note"))).not.toBe(opening(user("make another note")));
  });

  it("depend on parts that are no text", () => {
    const image = (url: string) =>
      user([
        { type: "text", text: "what is it?" },
        { type: "image_url", image_url: { url } },
      ]);
    expect(opening(image("a"))).not.toBe(opening(image("b")));
    expect(opening(image("a"))).toBe(opening(image("a")));
  });

  it("there is no key before a reply", () => {
    expect(readConversation([user("hi")]).conversationKey).toBeUndefined();
  });

  it("the key stays the same as the conversation goes on, and differs with the first reply", () => {
    const first = readConversation([user("hi"), said("Hello  there"), user("more")]).conversationKey;
    expect(first).toBeDefined();
    expect(readConversation([user("hi"), said("Hello there"), user("x"), said("y"), user("z")]).conversationKey).toBe(
      first,
    );
    expect(readConversation([user("hi"), said("Hello you"), user("more")]).conversationKey).not.toBe(first);
    expect(readConversation([user("hi"), calls("1"), result("1")]).conversationKey).not.toBe(
      readConversation([user("hi"), calls("2"), result("2")]).conversationKey,
    );
  });
});

describe("reading messages", () => {
  it("takes ids and texts only where they are", () => {
    expect(callIdsOf(calls("1", 2, undefined, "3"))).toEqual(["1", "3"]);
    expect(callIdsOf({ tool_calls: [null, "x"] })).toEqual([]);
    expect(textOf(5)).toBe("");
    expect(textOf([null, "x", { text: 5 }, { text: "y" }])).toBe("\n\n\ny");
  });
});

describe("a conversation that its client begins", () => {
  const context = (files: string) =>
    user(`This is the Qwen Code. We are setting up the context for our chat.\nHere is the folder structure:\n${files}`);
  const greeted = (files: string, ...more: readonly Record<string, unknown>[]) =>
    readConversation([context(files), said("Got it. Thanks for the context!"), user("write a.txt"), ...more]);

  it("is known by the user's first words, and by the reply to these", () => {
    const before = greeted("notes.txt", said("Done."), user("yes"));
    const after = greeted("notes.txt a.txt", said("Done."), user("yes"));
    expect(after.conversationKey).toBe(before.conversationKey);
    expect(after.firstMessageDigest).toBe(before.firstMessageDigest);
    expect(greeted("notes.txt", said("No."), user("yes")).conversationKey).not.toBe(before.conversationKey);
  });

  it("is a new one until these are answered", () => {
    expect(greeted("notes.txt").conversationKey).toBeUndefined();
    expect(greeted("notes.txt").newMessage).toBe("write a.txt");
    expect(readConversation([context("a.txt"), said("Got it.")]).conversationKey).toBeDefined();
  });
});
