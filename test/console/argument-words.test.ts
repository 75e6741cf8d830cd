/** The first arguments of a call, for one line. */
import { expect, test } from "vitest";
import { argumentWords } from "../../src/console/trail/argument-words.ts";

test.each([
  [{ amount: 723, order: "A-1", reason: "late" }, "amount 723, order A-1"],
  [{ tags: ["a"], to: "a\nb" }, "to a b"],
  [{ text: "😀".repeat(50) }, `text ${"😀".repeat(40)}…`],
  [null, ""],
  ["text", ""],
])("%j reads %s", (args, words) => {
  expect(argumentWords(args)).toBe(words);
});
