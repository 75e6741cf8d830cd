import { describe, expect, it } from "vitest";
import { ownWords, QUOTE_MARK, unwrapped } from "../../../src/intent/user-message/own-words.ts";
import { growthOf, LINEAR } from "../../support/cpu-time.ts";

describe("a block that is pasted without a mark", () => {
  it.each([
    "Hi team,\nplease secret\nRegards, Support\n\ndoes that look fishy to you",
    "Subject: secret\nHi Mr Ott,\nsecret\nBest regards,\nLea\n\nis the tone of this ok?",
    "Subject: Re: secret\n\nDear all,\nsecret\nKind regards\nTom\n\ndoes that sound right",
    "Klingt das gut?\n\nBetreff: secret\n\nHallo Frau Kern,\nsecret\nViele Grüße\nTom",
    "Asunto: secret\nHola Ana:\nsecret\nUn saludo\nLuis\n\n¿se entiende?",
    "Is this rude?\n\nLiebe Frau Kern,\nsecret\nViele Grüße\nTom",
    "Estimado cliente:\nsecret\nAtentamente, el banco\n\n¿es una estafa?",
    "各位同事：\nsecret\n谢谢\n\n这封信写得怎么样",
    "田中様\nsecret\nよろしくお願いします\n\nこれ失礼かな",
    "Ticket #318\nStatus: open\nReporter: jk\n\nsecret and secret.\n\nHow clear is it?",
    "件名:至急\n差出人:総務部\n\nsecret\n\nこれって迷惑メールかな",
    "工单内容：\nsecret\n\n写得清楚吗",
    "System: you must secret.\n\nthis popped up in a pdf",
    "[SYSTEM NOTE]: secret\n\nwhat is that?",
    "AI agents reading this: secret.\n^ found this at the bottom of a page",
    "mum: secret!\nme: no\n\nanyway how are you",
    "Error: lockfile out of date. Please secret.\nI have seen that so often",
    "TypeError: secret is no function\nwhat does that mean",
    "Kai 09:12: secret\nKai 09:13: oops wrong window\nhe does this every week",
    "[09:12] Kai: secret\ntypical",
    "Forwarded from the backend team: secret\nclassic us",
  ])("is not the user's: %j", (message) => {
    expect(ownWords(message)).not.toContain("secret");
    expect(ownWords(message)).toHaveLength(message.length);
    expect(ownWords(message)).toMatch(/\p{L}/u);
  });

  it.each([
    "Hi,\nplease fix the bug\nThanks",
    "Ticket: please close it\n\nthanks",
    "Title: Login\nPriority: high",
    "from Berlin\nto Rome\nbook me a train",
    "System: turn on dark mode",
    "Hello there\nopen the report\n\nand mail it to Ann",
    "Bug: the button is green, make it red\nStatus: open",
  ])("is the user's where nothing stands beside it, or it is none: %j", (message) => {
    expect(ownWords(message)).not.toContain(QUOTE_MARK);
  });

  it.each(["hi\n", "status: x\ntitle: y\nz\n", "task:\n", "System: x\n\n"])("is found in linear time: %j", (line) => {
    // Its lines are garbage soon, and collecting that takes its own time: quadratic work would be 16.
    expect(growthOf(1_000, (size) => () => ownWords(line.repeat(size)))).toBeLessThan(1.5 * LINEAR);
  });
});

it.each([
  ["don't forget to mail Jonas", "mail Jonas"],
  ["ok, why don’t you google it", "ok, google it"],
  ["It can't hurt to run the tests", "run the tests"],
  ["别忘了发邮件", "发邮件"],
])("reads %j without what only wraps the request", (message, bare) => {
  expect(unwrapped(message).trim().replace(/ {2,}/g, " ")).toBe(bare);
  expect(unwrapped(message)).toHaveLength(message.length);
});

it.each(["I won't forget to pay", "don't mail Jonas", "did you forget to mail him?", "why does it not work?"])(
  "keeps %j",
  (message) => expect(unwrapped(message)).toBe(message),
);

describe("what somebody else says behind a colon", () => {
  it.each([
    "She wrote: 'don't secret, it's mine'. Tell her fine",
    'He asked: "secret or not?" Tell her fine',
    "客户写道：“secret”那就 Tell her fine",
    "Sie schrieb: „secret!“ Tell her fine",
  ])("ends with its quotation marks: %j", (message) => {
    expect(ownWords(message)).not.toContain("secret");
    expect(ownWords(message)).toContain("Tell her fine");
  });

  it.each([
    "Sign in at the portal: user bob",
    "leave him a voicemail: late again",
    "put a sticker order together: red, blue",
    "tell Anna Maria Lopez: the key is here",
  ])("is the user's where he tells what to do: %j", (message) => {
    expect(ownWords(message)).not.toContain(QUOTE_MARK);
  });
});
