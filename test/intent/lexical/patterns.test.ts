import { describe, expect, it } from "vitest";
import { shapeOf } from "../../../src/intent/lexical/pattern-shape.ts";
import { finder, namesFinder, policyOf } from "./found.ts";

const one = (pattern: string) => finder(policyOf({ intents: { A: { patterns: [pattern] } } }));
const evidenceOf = (pattern: string, text: string) => one(pattern)(text).intents[0]?.evidence[0]?.text;

describe("a pattern", () => {
  it("finds where a request begins, however long the text before it is", () => {
    const begins = "(?:^|[.,;:!?]\\s+)return\\s+\\S+";
    for (const sentences of [1, 14, 15, 16, 40])
      expect(
        evidenceOf(begins, `${"Here is one more thing to know. ".repeat(sentences)}Return #W17${" or so".repeat(20)}`),
      ).toBe("Return #W17");
  });

  it.each([
    ["(make|create)\\s+(me\\s+)?(a\\s+)?quiz", "Please MAKE me\n a Quiz", "MAKE me\n a Quiz"],
    ["flashcards?\\s+(for|about|on)\\s+", "flashcards about cats", "flashcards about"],
    ["let's\\s+talk", "let’s talk", "let’s talk"],
    ["^email\\s+\\w+", "email Anna", "email Anna"],
    ["N(?-i:X)", "nX", "nX"],
    ["\\u30af\\u30a4\\u30ba", "ｸｲｽﾞ", "ｸｲｽﾞ"],
    ["ｅｘａｍ？", "exam?", "exam?"],
    ["(?P<what>quiz)", "a quiz", "quiz"],
    ["[[:alpha:]]+quiz", "myquiz", "myquiz"],
    ["\\Qa+b\\E", "a+b", "a+b"],
    ["\\d{4}", "in 2026", "2026"],
    ["😀+", "so 😀😀 x", "😀😀"],
  ])("%j in %j", (pattern, text, met) => {
    expect(evidenceOf(pattern, text)).toBe(met);
  });

  it.each([
    ["^email", "my email"],
    ["N(?-i:X)", "nx"],
    ["quiz$", "quiz me"],
    ["x*y", "x"],
  ])("%j does not match %j", (pattern, text) => {
    expect(one(pattern)(text).intents).toEqual([]);
  });

  it("has confidence 0.9, and the layer asked first tells it where both match", () => {
    const intents = { A: { keywords: ["quiz"], patterns: ["quiz\\s+me"] } };
    expect(finder(policyOf({ intents }))("quiz me").intents[0]).toMatchObject({ confidence: 1, layer: "keywords" });
    const turned = policyOf({ intents, detection: { layers: ["patterns", "keywords"] } });
    expect(finder(turned)("quiz me").intents[0]).toMatchObject({ confidence: 0.9, layer: "patterns" });
    expect(finder(turned)("a quiz").intents[0]).toMatchObject({ confidence: 1, layer: "keywords" });
    const words = policyOf({ intents, detection: { layers: ["keywords"] } });
    expect(finder(words)("quiz me").intents[0]?.evidence).toHaveLength(1);
    expect(finder(policyOf({ intents, detection: { layers: [] } }))("quiz me").intents).toEqual([]);
  });

  it("keeps the message's ends where a long text is cut: ^ and $ match nowhere else", () => {
    const text = `${"This is a sentence that goes on. ".repeat(40)}quiz. ${"And so does this one. ".repeat(40)}`;
    expect(one("quiz")(text).intents).toHaveLength(1);
    expect(one("^quiz")(text).intents).toEqual([]);
    expect(one("^\\s*this")(`It begins. ${text}`).intents).toEqual([]);
    expect(one("on\\.$")(text).intents).toEqual([]);
    expect(one("quiz\\.$")(text).intents).toEqual([]);
    expect(one("this\\s+one\\.\\s*$")(text).intents).toHaveLength(1);
  });

  it("counts what its own words met, not what its `.*` swallowed", () => {
    const names = namesFinder(
      policyOf({ intents: { WIDE: { patterns: ["do.*it"] }, LONG: { keywords: ["flashcards"] } } }),
    );
    expect(names("do flashcards like it")).toEqual(["LONG", "WIDE"]);
    const narrow = policyOf({ intents: { A: { patterns: ["test\\s+my\\s+\\w+"] }, B: { keywords: ["test"] } } });
    expect(namesFinder(narrow)("test my brain")).toEqual(["A"]);
  });
});

describe("a pattern's shape", () => {
  it.each([
    ["(make|create)\\s+(me\\s+)?quiz", ["quiz"]],
    ["test\\s+my\\s+(knowledge|understanding)", ["knowledge", "understanding"]],
    ["flashcards?", ["flashcard"]],
    ["(quiz)?", undefined],
    ["(a|\\d)", undefined],
    ["\\d+", undefined],
    ["(ab|cd){2,3}x", ["ab", "cd"]],
    ["quiz|", undefined],
    ["\\x41\\tb", ["A"]],
    ["(?i)\\bte(?:st)\\b", ["test"]],
  ])("%j needs %j", (pattern, literals) => {
    expect(shapeOf(pattern)?.literals).toEqual(literals);
  });

  it.each([
    ["(a)(b).*c", "(?:a)(?:b)(.*)c"],
    ["(\\w+\\s)*x", "((?:\\w+\\s)*)x"],
    ["[0-9]{4}", "[0-9]{4}"],
    ["(?P<n>.+?)b{2,}", "(?:(.+?))b{2,}"],
  ])("%j leaves open what %j captures", (pattern, marked) => {
    expect(shapeOf(pattern)?.source).toBe(marked);
  });

  it("is not told where it is not understood", () => {
    expect(shapeOf("[a")).toBeUndefined();
    expect(shapeOf("(".repeat(200) + ")".repeat(200))).toBeUndefined();
  });
});
