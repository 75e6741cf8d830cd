/** What the tables of words have in common. */
import { describe, expect, it } from "vitest";
import { readAnswer } from "../../src/approvals/answers/read-answer.ts";
import { fillWords, joinSentences, wordsOf } from "../../src/approvals/words/words.ts";
import { languages } from "../../src/lib/text/languages.ts";

const textsIn = (table: unknown): readonly string[] =>
  typeof table === "string" ? [table] : Object.values(table as object).flatMap(textsIn);

describe("the words of a question", () => {
  it("break no line before a French sign, nor inside French quotation marks", () => {
    const texts = textsIn(wordsOf("fr"));
    expect(texts.filter((text) => / [?!;:»]|« /.test(text))).toEqual([]);
    expect(wordsOf("fr").title.proceed).toBe("Continuer\u202f?");
    expect(wordsOf("fr").replies.asks).toMatch(/question\u00a0:$/);
    expect(wordsOf("fr").page.goesOn.inline).toContain("«\u00a0continue\u00a0»");
  });

  it("offer answers that are read: one to all of several, each option, and a short question", () => {
    for (const language of languages) {
      const { options, allExample } = wordsOf(language).frame;
      expect([language, readAnswer(allExample)]).toMatchObject([language, [{ action: "approve", all: true }]]);
      const endorse = fillWords(options.endorse, { yes: options.yes });
      const read = [options.yes, options.no, options.preview, options.learnMore, options.always, endorse];
      expect(read.map((text) => readAnswer(text)?.[0]?.action)).toEqual(
        "approve deny preview learn_more always endorse".split(" "),
      );
    }
  });

  it("have the same places to fill in every language", () => {
    const placesIn = (table: unknown, path = ""): readonly string[] =>
      typeof table === "string"
        ? [`${path} ${[...new Set(table.match(/\{\w+\}/g))].sort().join(" ")}`]
        : Object.entries(table as object).flatMap(([name, one]) => placesIn(one, `${path}.${name}`));
    // A notice may name the question itself.
    const shown = (language: (typeof languages)[number]) =>
      placesIn(wordsOf(language)).filter((one) => !one.startsWith(".frame.act "));
    for (const language of languages) expect(shown(language).sort()).toEqual(shown("en").toSorted());
  });

  it("stand apart where one sentence is the policy's English", () => {
    expect(joinSentences(["送信します。", "It saves.", "実行しますか？"], wordsOf("ja"))).toBe(
      "送信します。It saves. 実行しますか？",
    );
    expect(joinSentences(["", "A.", "", "B."], wordsOf("en"))).toBe("A. B.");
  });
});
