import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasUnseen, withoutUnseen } from "../../../src/lib/text/unseen-characters.ts";
import { visible, visibleJson } from "../../../src/lib/text/visible-text.ts";

describe("characters that nobody sees", () => {
  it.each([
    ["tags", "\u{e0001}\u{e0041}\u{e007f}"],
    ["tags that are not assigned", "\u{e0000}\u{e0002}\u{e00ff}\u{e0fff}"],
    ["zero-width characters", "\u200b\ufeff\u2060\u2064"],
    ["controls of direction", "\u200e\u200f\u202a\u202e\u2066\u2069\u061c"],
    ["controls", "\u0000\u0007\r\u001b\u007f\u009b"],
    ["fillers and soft hyphens", "\u00ad\u034f\u115f\u3164\uffa0"],
    ["separators of lines", "\u2028\u2029"],
  ])("are %s", (_, text) => {
    for (const one of text) {
      expect(withoutUnseen(`a${one}b`)).toBe("ab");
      expect(visible(`a${one}b`)).toBe("a\ufffdb");
      expect(hasUnseen(one)).toBe(true);
      expect(visibleJson(`a${one}b`, 0)).toMatch(/^"a(?:\\r|(?:\\u[0-9a-f]{4}){1,2})b"$/);
      expect(JSON.parse(visibleJson(`a${one}b`))).toBe(`a${one}b`);
    }
  });

  it.each([
    "👨‍👩‍👧",
    "❤️‍🔥",
    "می‌خواهم",
    "क्‍ष",
    "葛\u{e0100}",
    "سورة ۝",
    "a\n\tb",
    "½ é 日",
    "a\r\nb",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "1\ufe0f\u20e3",
    "👩🏽‍🚀",
    "ত্\u200d",
    "ශ්‍රී",
  ])("are none that writing needs: %s", (text) =>
    expect([withoutUnseen(text), hasUnseen(text)]).toEqual([text, false]),
  );

  it.each([
    ["a\u200d\u200c\u200d\u200db", "ab"],
    ["Y\u200do\u200cu", "You"],
    ["\u0645\u200c\u200d\u200c\u062e", "\u0645\u200c\u062e"],
    ["😀\ufe0f\ufe01\u{e0101}\u{e01ef}!", "😀\ufe0f!"],
    ["a\u200d\ufe01\u200c\u{e0101}\u200db", "ab"],
    ["❤\ufe0f\u200d\ufe0e\u200c🔥", "❤\ufe0f🔥"],
    // What stands between two of them is not seen either.
    ["a\u200d\u200b\u200db", "ab"],
  ])("are joiners and selectors in a row, which could spell something: %j", (text, clean) => {
    expect(withoutUnseen(text)).toBe(clean);
    expect(hasUnseen(text)).toBe(true);
    expect(visible(text)).toContain("\ufffd");
  });

  it("what_is_clean_stays_as_it_is", () => {
    const part = fc.constantFrom("a", "\u200d", "\u200c", "\u200b", "\ufe0f", "\ufe01", "\u{e0041}", "\u{e0101}", "😀");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        for (const clean of [withoutUnseen, visible].map((make) => make(parts.join("")))) {
          expect(withoutUnseen(clean)).toBe(clean);
          expect(clean).not.toMatch(/[\u200b\u{e0041}]|(?:[\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]){3}/u);
        }
      }),
    );
  });
});
