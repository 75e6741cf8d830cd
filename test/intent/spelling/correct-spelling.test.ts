/** Misspelt words: what is corrected, what is left alone, and that no text takes long. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashText } from "../../../src/intent/semantic/hash.ts";
import { correctSpelling, type KnownWords } from "../../../src/intent/spelling/correct-spelling.ts";

const ranks = new Map([
  ["delete", 10],
  ["calendar", 10],
  ["reminder", 10],
  ["appointment", 10],
  ["render", 1],
  ["please", 1],
  ["the", 1],
  ["note", 10],
]);
const byHash = new Map([...ranks].map(([word, rank]) => [hashText(word), rank]));
const known: KnownWords = {
  rankOf: (hash) => byHash.get(hash) ?? 0,
  sureness: (word) => (ranks.has(word) || word === "kiln" ? Number.POSITIVE_INFINITY : 0),
};
const corrected = (text: string, words: KnownWords = known) => correctSpelling(text, words).text;

describe("a misspelt word", () => {
  it("is corrected where a letter is dropped, added, replaced, or two neighbours are swapped", () => {
    expect(corrected("delte the calender, plaese notee")).toBe("delete the calendar, please note");
  });

  it("stands for the policy's word rather than for another", () => {
    expect(corrected("remnder")).toBe("reminder");
  });

  it("keeps its first capital at the start of a sentence", () => {
    expect(corrected("Delte it. Calender?")).toBe("Delete it. Calendar?");
  });

  it("is reported with its place in the original", () => {
    const text = "pls delte my calender";
    const { corrections } = correctSpelling(text, known);
    expect(corrections).toEqual([
      { at: 4, from: "delte", to: "delete" },
      { at: 13, from: "calender", to: "calendar" },
    ]);
  });
});

describe("what is left alone", () => {
  it.each([
    ["a word that is known, though not to be put in place of another", "kiln"],
    ["a name", "ask Calender about it"],
    ["an identifier", "call deleTe"],
    ["an abbreviation", "the NOTEE is here"],
    ["a word with a digit", "delte1"],
    ["a part of an address", "delte.com and a@calender.org and /calender/notee"],
    ["code", "run `delte calender` now"],
    ["a contraction without its apostrophe", "dont"],
    ["a word of another script", "удалить 删除"],
  ])("%s", (_, text) => {
    expect(corrected(text)).toBe(text);
  });

  it("a noun in German is no name", () => {
    expect(corrected("bitte den Calender", { ...known, nounsAreCapitalised: true })).toBe("bitte den Calendar");
  });

  it("the ninth misspelt word of a message", () => {
    expect(corrected("notee ".repeat(9).trim())).toBe(`${"note ".repeat(8)}notee`);
  });
});

describe("laws", () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc
      .array(fc.constantFrom("delte", "Calender", "the", "`", "notee", "\n", "a.b", "'s", "…"))
      .map((parts) => parts.join(" ")),
  );

  it("never_throws, and what_is_not_corrected_stays", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const result = correctSpelling(text, known);
        let rest = text;
        for (const { at, from } of result.corrections.toReversed()) {
          expect(text.slice(at, at + from.length)).toBe(from);
          rest = rest.slice(0, at) + rest.slice(at + from.length);
        }
        expect(result.text.length - rest.length).toBe(result.corrections.reduce((sum, { to }) => sum + to.length, 0));
      }),
    );
  });

  it("no_text_takes_long", () => {
    const pieces = ["calnedra ", "a'", '"', "abcdefghijklmnopqrstuvwx ", "`", "….", "ab\n"];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(65_536 / piece.length));
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        correctSpelling(text, known);
        return performance.now() - start;
      });
      // The best of three: others use the machine too.
      expect(Math.min(...times)).toBeLessThan(50);
    }
  });
});
