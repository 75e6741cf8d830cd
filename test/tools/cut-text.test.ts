import * as fc from "fast-check";
import { expect, it } from "vitest";
import { cutText } from "../../src/tools/run-text.ts";

it.each([
  ['{"id":1234567890123456789}', 12, '{"id":'],
  ['{"id":-12.5e10}', 9, '{"id":'],
  ['{"id":12}', 8, '{"id":12'],
  ["[12,345]", 4, "[12,"],
  ["ab😀", 3, "ab"],
  ["x".repeat(10), 10, "x".repeat(10)],
])("%s is cut at %i to %s", (text, max, expected) => expect(cutText(text, max)).toBe(expected));

it("a text of digits alone is cut all the same", () => {
  expect(cutText("7".repeat(1_000), 500)).toHaveLength(500);
});

it("what_is_shown_is_a_beginning_without_half_a_character_or_half_a_number", () => {
  const part = fc.constantFrom("a", "😀", "-0", "12", "1.5", "1e400", " ", '"', ",");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.nat(80), (parts, max) => {
      const text = parts.join(" ");
      const cut = cutText(text, max);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(cut.isWellFormed()).toBe(true);
      const shown = cut.split(" ").filter((one) => /\d$/.test(one));
      for (const number of shown) expect(parts).toContain(number);
    }),
  );
});
