import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DetectedIntent } from "../../../src/intent/detection.ts";
import { compileLexical, findLexical } from "../../../src/intent/lexical/lexical.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { leastCpuTime } from "../../support/cpu-time.ts";
import { finder, policyOf, shippedPolicy } from "./found.ts";

const word = fc.constantFrom(
  ..."quiz|test|my knowledge|flashcards|no|not|don't make|do not|explain|how to|and|, |. |\n|1. |2. |- |; |\"|「|」|about|a |ＱＵＩＺ|ｸｲｽﾞ|クイズ|퀴즈|말고|ないで|不要|é|e\u0301|\ud800|\udc00|😀|İ|ﬁ|\u200b|\u00ad|\uffff|👍|yes".split(
    "|",
  ),
);
const anyText = fc.oneof(
  fc.array(fc.oneof(word, fc.constant(" ")), { maxLength: 60 }).map((words) => words.join("")),
  fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 100 }),
);
/** Some are so long that only their ends are read. */
const text = fc
  .tuple(anyText, fc.nat(12_000), anyText)
  .map(([one, gap, other]) => (gap % 3 === 0 ? one + "filler é ".repeat(Math.ceil(gap / 9)) + other : one));

const study = shippedPolicy("study-agent");
const own = policyOf({
  intents: {
    Q: { keywords: ["quiz", "クイズ", "퀴즈", "é", "ﬁ"], patterns: ["quiz.*test", "(a|b)*c", "\\S+", "(?s).*"] },
    T: { keywords: ["test", "quiz"], patterns: ["[^a]+z", "\\x{1F600}", "e"] },
  },
});
const evidenceOf = (intents: readonly DetectedIntent[]) => intents.flatMap(({ evidence }) => evidence);

describe("detection by words", () => {
  it.each([
    ["study-agent", study],
    ["wide patterns", own],
  ])("evidence_is_what_the_message_holds (%s)", (_name, policy) => {
    const lexical = compileLexical(policy);
    fc.assert(
      fc.property(text, (message) => {
        const { intents, discounted, clauses } = findLexical(lexical, message, workBudget());
        for (const one of evidenceOf([...intents, ...discounted])) {
          expect(one.at).toBeGreaterThanOrEqual(0);
          expect(one.text.length).toBeGreaterThan(0);
          expect(one.text).toBe(message.slice(one.at, one.at + one.text.length));
        }
        const names = [...intents, ...discounted].map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        for (const { evidence } of intents) expect(evidence[0]?.discounted).toBeUndefined();
        for (const { evidence } of discounted) expect(evidence.every((one) => one.discounted)).toBe(true);
        expect(clauses.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  it("what_is_not_negated_is_not_lost: overruled evidence always leaves what overruled it", () => {
    const find = finder(study);
    fc.assert(
      fc.property(text, (message) => {
        const { intents, discounted } = find(message);
        if (evidenceOf(discounted).some((one) => one.discounted === "overruled")) expect(intents).not.toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("the_form_of_letters_does_not_matter", () => {
    const find = finder(study);
    const wide = (part: string) =>
      part.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const names = (message: string) => find(message).intents.map(({ name }) => name);
    const sentence = fc
      .array(fc.constantFrom(..."make|me|a|quiz|flashcards|about|test|my|knowledge|not|explain|and".split("|")), {
        maxLength: 12,
      })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(sentence, (message) => {
        expect(names(message.toUpperCase())).toEqual(names(message));
        expect(names(wide(message))).toEqual(names(message));
      }),
    );
  });

  it("a_pasted_document_selects_nothing: only the ends of a long message are read, and whole words of them", () => {
    const find = finder(study);
    const filler = "and so it went on and on ".repeat(400);
    const names = (message: string) => find(message).intents.map(({ name }) => name);
    expect(names(`Make a quiz. ${filler}`)).toEqual(["CREATE_QUIZ"]);
    expect(names(`${filler} Make a quiz.`)).toEqual(["CREATE_QUIZ"]);
    expect(names(`${filler} Make a quiz. ${filler}`)).toEqual([]);
    for (let shift = 0; shift < 12; shift += 1) {
      expect(names("x".repeat(shift) + " latest".repeat(4_000))).toEqual([]);
      expect(names("x".repeat(shift) + " testing".repeat(4_000))).toEqual([]);
    }
  });
});

describe("the cost of detection", () => {
  it.each([
    "a",
    "é",
    "quiz ",
    "make me a quiz and test my knowledge. ",
    "do not ",
    "no quiz, ",
    "ないで",
    '"a ',
    "a@",
    "quiz about ",
    "\n1. ",
    "\ud800",
    "クイズ",
  ])("of 100 KB of %j is bounded", (part) => {
    const lexical = compileLexical(study);
    const message = part.repeat(Math.ceil(100_000 / part.length));
    // It takes some 5 ms: work that grew with the square would take seconds.
    expect(leastCpuTime(() => findLexical(lexical, message, workBudget()))).toBeLessThan(200);
  });

  it("does not hang on a pattern that would hang a backtracking engine", () => {
    const hanging = ["(a+)+$", "(a|aa)+b", "([a-z]+)*!", "(.*)*x", "(\\w+\\s?)*$", "(x+x+)+y"];
    const lexical = compileLexical(policyOf({ intents: { A: { patterns: hanging } } }));
    const message = `${"a".repeat(50_000)} ${"x".repeat(50_000)}`;
    expect(leastCpuTime(() => findLexical(lexical, message, workBudget()))).toBeLessThan(500);
  });

  it("a thousand intents are compiled in a moment", () => {
    const intents = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, number) => [
        `I${number}`,
        {
          keywords: Array.from({ length: 10 }, (_, index) => `keyword${number} of ${index}`),
          patterns: number < 50 ? [`(make|create)\\s+(a\\s+)?thing${number}s?`] : [],
        },
      ]),
    );
    const policy = policyOf({ intents });
    expect(leastCpuTime(() => compileLexical(policy))).toBeLessThan(1_000);
    expect(finder(policy)("please create a thing7, and keyword12 of 3").intents.map(({ name }) => name)).toEqual([
      "I12",
      "I7",
    ]);
  });
});
