import fc from "fast-check";
import { expect, it } from "vitest";
import { collapseWhitespace } from "../../src/session/conversation-fingerprint.ts";

const atOnce = (text: string): string => text.replace(/\s+/g, " ").trim();
const spaces = fc.string({ unit: fc.constantFrom(" ", "\n", "\u3000", "a"), maxLength: 12 });

it("long_texts_are_squeezed_as_short_ones: whatever stands where a piece ends", () => {
  fc.assert(
    fc.property(spaces, spaces, spaces, fc.integer({ min: 65_524, max: 65_536 }), (before, border, after, length) => {
      const text = `${before}${"b".repeat(length - before.length)}${border}${"c".repeat(65_530)}${after}`;
      expect(collapseWhitespace(text)).toBe(atOnce(text));
      expect(collapseWhitespace(border)).toBe(atOnce(border));
    }),
  );
});
