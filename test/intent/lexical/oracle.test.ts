/** What is quick must find what a slow and plain search finds. */
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { shapeOf } from "../../../src/intent/lexical/pattern-shape.ts";
import { indexWords, wordsAt } from "../../../src/intent/lexical/word-index.ts";
import { finder, policyOf } from "./found.ts";

const letters = fc.array(fc.constantFrom("a", "b", "c", " "), { maxLength: 8 }).map((units) => units.join(""));

it("all_words_are_met_everywhere", () => {
  const words = fc.uniqueArray(
    letters.map((word) => word.replace(/ +/g, " ").trim()).filter((word) => word !== ""),
    { minLength: 1, maxLength: 12 },
  );
  const text = fc.array(fc.constantFrom("a", "b", "c", " ", "\n"), { maxLength: 80 }).map((units) => units.join(""));
  fc.assert(
    fc.property(words, text, (sought, message) => {
      const index = indexWords(sought);
      const met: string[] = [];
      for (let start = 0; start < message.length; start += 1) {
        wordsAt(index, message, start, (word, end) => met.push(`${sought[word]}@${start}-${end}`));
      }
      const expected = sought.flatMap((word) => {
        const spaced = new RegExp(`(?=(${word.replaceAll(" ", "\\s+")}))`, "g");
        return [...message.matchAll(spaced)].map((m) => `${word}@${m.index}-${m.index + (m[1]?.length ?? 0)}`);
      });
      // A word that ends in no space is met once for each start; runs of spaces inside are one.
      expect(met.sort()).toEqual(expected.sort());
    }),
    { numRuns: 500 },
  );
});

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  "ab",
  "test",
  "quiz",
  ".",
  "\\s",
  "\\w",
  "\\d",
  "[abc]",
  "[^a]",
  "\\bb",
  "\\x61",
  "é",
  "^",
  "$",
);
const { pattern } = fc.letrec<{ pattern: string; group: string; quantified: string; sequence: string }>((tie) => ({
  group: tie("pattern").map((inner) => `(${inner})`),
  quantified: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3 },
        atom.map((one) => `(?:${one})`),
        tie("group"),
      ),
      fc.constantFrom("", "?", "*", "+", "{2}", "{0,2}", "{2,}", "*?"),
    )
    .map(([one, quantifier]) => one + quantifier),
  sequence: fc
    .array(fc.oneof({ maxDepth: 3 }, atom, tie("quantified")), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("")),
  pattern: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((options) => options.join("|")),
}));
const message = fc
  .array(fc.constantFrom("a", "b", "c", "ab", "test", "quiz", " ", "\n", "1", "é", "A", "QUIZ"), { maxLength: 14 })
  .map((parts) => parts.join(""));

it("a_pattern_is_asked_wherever_it_matches, and its marked form matches the same", () => {
  fc.assert(
    fc.property(pattern, message, (source, text) => {
      const plain = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).matcher(text);
      let met: string | undefined;
      while (met === undefined && plain.find()) met = plain.group()?.trim() || undefined;
      const found = finder(policyOf({ intents: { A: { patterns: [source] } } }))(text);
      const told = [...found.intents, ...found.discounted][0]?.evidence ?? [];
      if (met === undefined) expect(told).toEqual([]);
      else expect(told.map((one) => one.text)).toContain(met);
      expect(shapeOf(source)).toBeDefined();
    }),
    { numRuns: 400 },
  );
});
