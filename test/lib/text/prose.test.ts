import fc from "fast-check";
import { expect, it } from "vitest";
import { codeSpan, proseParts } from "../../../src/lib/text/prose.ts";

it.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a", "`` `a ``"],
  ["a ``` b", "````a ``` b````"],
])("writes %j as the span %j", (text, span) => expect(codeSpan(text)).toBe(span));

it("what_is_written_as_code_is_read_as_it, whatever stands around it", () => {
  const words = fc.string().map((text) => text.replaceAll("`", ""));
  const code = fc
    .array(fc.constantFrom("a", "`", "``", " b", "```"), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join("").trim())
    .filter((text) => text !== "");
  fc.assert(
    fc.property(words, code, words, code, (before, one, between, other) => {
      const parts = proseParts(`${before} ${codeSpan(one)} ${between} ${codeSpan(other)}`);
      expect(parts.filter(({ isCode }) => isCode).map(({ text }) => text)).toEqual([one, other]);
    }),
  );
});

it("takes a backtick that closes nothing for a character", () => {
  expect(proseParts("a ` b ``c")).toEqual([{ text: "a ` b ``c", isCode: false }]);
});
