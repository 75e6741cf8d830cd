import { describe, expect, it } from "vitest";
import {
  knowsPrompt,
  promptSketch,
  replyMarks,
  rootSession,
  sideSessionKey,
  withPrompt,
} from "../../src/session/conversation-fingerprint.ts";

describe("a reply's marks", () => {
  const text = "**Done.** The file `a.txt` is written:\n\n- 3 lines\n- 2 words";

  it.each([
    ["white space", "**Done.**  The file `a.txt` is written:\r\n- 3 lines\r\n- 2 words \n"],
    ["Markdown", "Done. The file a.txt is written: * 3 lines * 2 words"],
    ["full-width letters and case", "DONE. The file ａ.txt is written: 3 lines, 2 words"],
  ])("stay the same where a frontend changes %s", (_, changed) => {
    expect(replyMarks([], changed)).toEqual(replyMarks([], text));
  });

  it("look at the end: reasoning before it may be dropped", () => {
    const words = "It is written. ".repeat(30);
    expect(replyMarks([], `<think>Shall I?</think>${words}`)).toEqual(replyMarks([], words));
    expect(replyMarks([], `${words}No.`)).not.toEqual(replyMarks([], words));
  });

  it("name the calls, and are none for nothing", () => {
    expect(replyMarks(["c1", "c2"], "")).toEqual(["call c1", "call c2"]);
    expect(replyMarks([], " \n—")).toEqual([]);
  });
});

describe("system prompts of a conversation", () => {
  const assistant = "You are a helpful assistant. Today is Monday, 2026-11-23. Answer in short sentences.";
  const titles = "You write titles for conversations. Answer with a title alone.";
  const prompts = (...texts: string[]) =>
    texts.map(promptSketch).reduce<readonly (readonly number[])[]>(withPrompt, []);

  it("are the same on another day, and with something added", () => {
    const known = prompts(assistant);
    expect(knowsPrompt(known, promptSketch(assistant.replace("2026-11-23", "2027-01-02")))).toBe(true);
    expect(knowsPrompt(known, promptSketch(`${assistant}\nThe user likes tea. The user lives in Bern.`))).toBe(true);
  });

  it("say nothing where there is none", () => {
    expect(knowsPrompt(prompts(assistant), promptSketch(""))).toBe(true);
    expect(knowsPrompt(prompts("", ""), promptSketch(titles))).toBe(true);
  });

  it("are another's where hardly a sentence is the same", () => {
    expect(knowsPrompt(prompts(assistant), promptSketch(titles))).toBe(false);
  });

  it("may be those of several agents, the last ones", () => {
    expect(knowsPrompt(prompts(assistant, titles), promptSketch(assistant))).toBe(true);
    const many = Array.from({ length: 8 }, (_, index) => `You are the agent for ${"xyzabcde"[index]?.repeat(12)}.`);
    expect(knowsPrompt(prompts(assistant, ...many), promptSketch(assistant))).toBe(false);
  });
});

it("a side session shows the session that the client knows", () => {
  expect(rootSession(sideSessionKey("chat 7", "sess_1"))).toBe("chat 7");
  expect(rootSession("chat 7")).toBe("chat 7");
});
