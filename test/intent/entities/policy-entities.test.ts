import { describe, expect, it } from "vitest";
import studyAgent from "../../../policies/study-agent.json" with { type: "json" };
import { extractor, pairs } from "./extract.ts";

const study = extractor(studyAgent);
const of = (text: string, ...intents: string[]) => Object.fromEntries(pairs(study(text, intents)));

describe("the study agent's entities, as in the reference document", () => {
  it.each([
    ["Can you make me some flashcards about N4 grammar?", { level: "N4", topic: "grammar" }],
    ["5 flashcards for n3", { count: 5, level: "N3" }],
    ["Make 5 N4 flashcards about verbs", { count: 5, level: "N4", topic: "verbs" }],
    ["N4 flashcards", { level: "N4" }],
    ["level 4 vocab, 10 cards", { level: "N4", topic: "vocabulary", count: 10 }],
    ["JLPT 2 kanji", { level: "N2", topic: "vocabulary" }],
    ["five flashcards on polite speech", { count: 5, topic: "keigo" }],
    ["助詞のカードを5枚", { topic: "particles", count: 5 }],
    ["動詞を五枚ください", { topic: "verbs", count: 5 }],
    ["Ｎ４の文法、１０枚", { level: "N4", topic: "grammar", count: 10 }],
    ["문법 카드 5장", { topic: "grammar", count: 5 }],
    ["请给我十张量词卡片", { topic: "counters", count: 10 }],
    ["助数詞", { topic: "counters" }],
  ])("%s", (text, expected) => {
    expect(of(text, "CREATE_FLASHCARDS")).toEqual(expected);
  });

  it("meets words, not parts of them", () => {
    expect(of("more information on formality", "CREATE_FLASHCARDS")).toEqual({});
    expect(of("the particles of speech", "CREATE_FLASHCARDS")).toEqual({ topic: "particles" });
  });

  it("lists the values in the policy's order, not the text's", () => {
    expect(pairs(study("kanji and grammar", ["CREATE_QUIZ"]))).toEqual([
      ["topic", "grammar"],
      ["topic", "vocabulary"],
    ]);
  });

  it("takes no count out of range, and does not move it to the bound", () => {
    expect(of("500 flashcards", "CREATE_FLASHCARDS")).toEqual({});
    expect(of("0 flashcards", "CREATE_FLASHCARDS")).toEqual({});
    expect(of("20 flashcards", "CREATE_FLASHCARDS")).toEqual({ count: 20 });
  });

  it("finds the grammar point where grammar is explained, and only there", () => {
    const text = "Explain the Te-form of 食べる?";
    expect(of(text, "EXPLAIN_GRAMMAR").grammar_point).toBe("the te-form of 食べる");
    expect(of(text, "CREATE_QUIZ").grammar_point).toBeUndefined();
    expect(of(text).topic).toBeUndefined();
  });

  it("looks for the entities of all intents that were detected", () => {
    expect(of("explain N5 particles and make 3 cards", "EXPLAIN_GRAMMAR", "CREATE_FLASHCARDS")).toEqual({
      level: "N5",
      topic: "particles",
      count: 3,
      grammar_point: "n5 particles and make 3 cards",
    });
  });
});

describe("an entity", () => {
  const found = (entity: object, text: string) => pairs(extractor({ entities: { it: entity } })(text));

  it("that no intent names is looked for in every message", () => {
    expect(found({ pattern: "about (.+)" }, "about cats")).toEqual([["it", "cats"]]);
  });

  it.each([
    ["the last group that took part", "(a)|(b+)(c)?", "bb", "bb"],
    ["the group `value`", "(?<value>b+)(c)", "bbc", "bb"],
    ["the whole match without groups", "ab+", "xabb", "abb"],
  ])("has for its value %s", (_, pattern, text, value) => {
    expect(found({ pattern }, text)).toEqual([["it", value]]);
  });

  it("ignores case unless the pattern says otherwise", () => {
    expect(found({ pattern: "ab-\\d" }, "AB-1")).toEqual([["it", "AB-1"]]);
    expect(found({ pattern: "(?-i)ab-\\d" }, "AB-1")).toEqual([]);
  });

  it("is made from the groups by a template, of all patterns in their order", () => {
    const pattern = [{ match: "(\\d) of (\\d)", value: "$1/$2" }, "no (\\d)"];
    expect(found({ pattern }, "no 9, then 1 of 2")).toEqual([
      ["it", "1/2"],
      ["it", "9"],
    ]);
  });

  it("is normalised step by step, then typed", () => {
    const entity = { pattern: "n: ([^.]+)", normalise: ["trim", "spaces", "upper"] };
    expect(found(entity, "n: a   b .")).toEqual([["it", "A B"]]);
    const price = { pattern: "costs ([\\d.,]+\\d)", type: "number", max: 2_000 };
    expect(found(price, "costs 1,500.5")).toEqual([["it", 1500.5]]);
    expect(found(price, "costs 2,500")).toEqual([]);
    expect(found({ ...price, type: "integer" }, "costs 1.5")).toEqual([]);
    expect(found({ pattern: "due (.+)", type: "date" }, "due 22 Nov 2026")[0]).toEqual(["it", "2026-11-22"]);
    expect(found({ pattern: "due (.+)", type: "date" }, "due soon")).toEqual([]);
  });

  it("is met at word boundaries, and anywhere in a script without spaces", () => {
    const entity = { synonyms: { pet: ["cat", "猫", "แมว", "고양이", "big   cat"] } };
    for (const text of ["a CAT!", "黒猫です", "ฉันรักแมวมาก", "고양이를", "big\n cat"]) {
      expect(found(entity, text), text).toEqual([["it", "pet"]]);
    }
    for (const text of ["concat", "cats", "cat_1", "caté"]) expect(found(entity, text), text).toEqual([]);
  });

  it("is at most eight values, each once, and none of 500 characters", () => {
    const many = Array.from({ length: 20 }, (_, index) => `#${index % 10}`).join(" ");
    expect(found({ pattern: "#\\d" }, many)).toHaveLength(8);
    expect(found({ pattern: "#\\d" }, "#1 #1 #1")).toHaveLength(1);
    expect(found({ pattern: "x+" }, "x".repeat(501))).toEqual([]);
  });

  it("may have a pattern that would hang a backtracking engine", () => {
    const text = "a".repeat(8_000);
    expect(found({ pattern: ["((a+)+)+b", "(a|aa)+$"] }, `${text.slice(1)}!`)).toEqual([]);
    expect(found({ pattern: "(?:a|b|ab)*c(d)" }, `${"ab".repeat(3_000)}cd`)).toEqual([["it", "d"]]);
  });

  it("takes the place of a built-in one of the same name, as private as that", () => {
    const own = extractor({ entities: { email: { pattern: "at (\\w+)" }, date: { pattern: "day (\\d+)" } } });
    expect(own("at ada, day 2, ada@example.com, 2026-11-22")).toMatchObject([
      { name: "email", value: "ada", redact: true },
      { name: "date", value: "2", redact: false },
    ]);
  });
});

it.each(["bob@müller.de", "bob@example。com", "ftp://host/a", "＠bob"])(
  "is private where it is an address: %s",
  (address) => {
    const own = extractor({ entities: { who: { pattern: "to (\\S+)" } } });
    expect(own(`write to ${address} now`)).toMatchObject([{ name: "who", redact: true }]);
    expect(own("write to ada now")).toMatchObject([{ name: "who", redact: false }]);
  },
);

describe("a long message", () => {
  const own = extractor({ entities: { id: { pattern: "id-\\d+" } } });
  const filler = "lorem ipsum\n".repeat(8_400);

  it("is read at both ends, with true places", () => {
    const text = `id-1 ${filler} ada@example.com id-2`;
    expect(pairs(own(text))).toEqual([
      ["id", "id-1"],
      ["id", "id-2"],
      ["email", "ada@example.com"],
    ]);
    expect(own(`${filler}id-3${filler}`)).toEqual([]);
  });

  it("gives nothing that was cut in half", () => {
    const head = `${"x ".repeat(1_998)}id-12345${"y ".repeat(8_000)}`;
    expect(head.slice(0, 4_000).endsWith("id-1")).toBe(true);
    expect(own(head)).toEqual([]);
    const tail = `${"y ".repeat(8_000)}77id-5${"x".repeat(3_996)}`;
    expect(own(tail)).toEqual([]);
  });
});
