import { describe, expect, it } from "vitest";
import { finder, policyOf } from "./found.ts";

const find = finder(
  policyOf({
    intents: { DELETE: { keywords: ["delete"], patterns: ["wipe\\s+it"] }, FIX: { keywords: ["fix"] } },
    detection: { layers: ["keywords", "patterns", "semantic"] },
  }),
);
const names = (text: string) => find(text).intents.map(({ name }) => name);

describe("what a user has pasted", () => {
  it.each([
    ["Fix this:\n```js\ndelete it; wipe it\n```", ["FIX"]],
    ["What does this do?\n```\nplease delete everything\n```\nthanks", []],
    ["what is ```delete x``` for", []],
    ["look:\n```\ndelete all", []],
    ["```\ndelete all\n```\nfix it\n```\ndelete more\n```", ["FIX"]],
    ["> please delete my account\n> at once\n\nwhat does he mean?", []],
    ["> delete it\nfix it", ["FIX"]],
  ])("selects nothing: %j", (text, wanted) => {
    expect(names(text)).toEqual(wanted);
    expect(find(text).clauses.join()).not.toContain("delete");
  });

  it.each([
    "```\ndelete it\n```",
    "> delete it",
    '"delete it"',
    "「delete it」",
    "He wrote: 'delete it', can you believe it?",
    "the sign says ›delete it‹",
    "《delete》 is a novel",
    "—Delete it.\n—No.\nThat was the whole talk",
    "from her diary:\n\n  Dear app,\n  delete it\n\nlovely",
    "they write\n---\ndelete it\n---\nand I do not know why",
    "translate into Spanish: delete it now",
    "帮忙翻成英文：delete it",
    "我想翻译：delete it",
    "rewrite it, more politely: delete it now",
    "check the commas in this sentence: delete it please",
    "Prüf mal die Kommas in diesem Satz: delete it bitte",
    "revisa el tono de este mensaje: delete it ya",
    "この文を丁寧にして：delete it",
    "a bot answered: delete it and come back",
    "summarise:\nDear all, please come on Monday.\n\nAlso delete it, all of it.",
    "Ann: can you delete it?\nBob: sure\nAnn: thanks\n\nis Bob cross with her",
    "our chat\nAnn: delete it\nBob: no\n\nodd, no?",
    "subtitles:\n00:12:01 --> 00:12:04\ndelete it\n\nI laughed",
    "# TODO: delete it\n\nthis is older than my son",
  ])("selects nothing, also where there is no other word of the user's: %j", (text) => {
    expect(names(text)).toEqual([]);
  });

  it.each([
    ["the dogs' bowls and the cats' food: delete it", ["DELETE"]],
    ['add "milk" and delete it', ["DELETE"]],
    ["use ``` and delete it", ["DELETE"]],
    ["a > b: delete it", ["DELETE"]],
    ["```x``` delete it", ["DELETE"]],
  ])("leaves what stands beside it: %j", (text, wanted) => {
    expect(names(text)).toEqual(wanted);
  });

  it("leaves places as they are in the message", () => {
    const message = "```\nsome code\n```\n> a line\nplease delete it";
    expect(find(message).intents[0]?.evidence).toMatchObject([{ text: "delete", at: message.indexOf("delete") }]);
  });
});

describe("letters that stand beside symbols", () => {
  it.each(["🗑️delete🗑️", "❤️ delete", "1️⃣delete", "\u200fdelete\u200e", "dele\u202ete it", "\u2066delete\u2069"])(
    "%j",
    (text) => {
      expect(names(text)).toEqual(["DELETE"]);
    },
  );
});

it("reads the fields of a form, and what stands above a text to be worked on", () => {
  expect(names("Task: delete it\nWhen: today")).toEqual(["DELETE"]);
  expect(names("delete it. Then translate: we are sorry")).toEqual(["DELETE"]);
  expect(names("translate: we are sorry\n\ndelete it afterwards")).toEqual(["DELETE"]);
});
