import fc from "fast-check";
import { expect, test } from "vitest";
import { hmacHex, lengthPrefixed, sha256Hex, sha256HexOf } from "../../src/lib/digest.ts";

test("known answers", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // RFC 4231, test case 2.
  expect(hmacHex("Jefe", "what do ya want for nothing?")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("length_prefixed_parts_never_meet", () => {
  const parts = fc.array(fc.string({ unit: fc.constantFrom("1", ":", "a", "0") }));
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(lengthPrefixed(...a) === lengthPrefixed(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
    { examples: [[["1:a"], ["", "a"]]] },
  );
});

test("names_and_bytes_never_meet", () => {
  const text = fc.string({ unit: fc.constantFrom("1", ":", "a", "0") });
  const digest = (name: string, rest: string) => sha256HexOf([name], new TextEncoder().encode(rest));
  fc.assert(
    fc.property(text, text, text, text, (a, b, c, d) => {
      expect(digest(a, b) === digest(c, d)).toBe(a === c && b === d);
    }),
    { examples: [["", "1:a", "1:", "a"]] },
  );
});

test("refuses what would read the same as another in UTF-8", () => {
  expect(() => lengthPrefixed("user-\ud800")).toThrow(TypeError);
});
