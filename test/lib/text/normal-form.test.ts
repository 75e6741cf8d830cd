import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldName } from "../../../src/lib/names.ts";
import { normalForm } from "../../../src/lib/text/normal-form.ts";

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;
const letter = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("a\u0301", "か\uff9e", "क्षि", "\ufdfa"),
);

describe("normalForm", () => {
  it("law: is the engine's own where no letter has 64 marks", () => {
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 60 }), fc.constantFrom(...forms), (letters, form) => {
        const text = letters.join("x");
        expect(normalForm(text, form)).toBe(text.normalize(form));
      }),
    );
  });

  it("law: finds a run wherever it begins", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(64), (before, more) => {
        const text = `${"x".repeat(before)}a${"\u0301\u0323".repeat(40 + more)}`;
        const [first = ""] = normalForm(text, "NFD").slice(before + 1);
        expect([first, normalForm(text, "NFD").length]).toEqual(["\u0323", text.length]);
      }),
    );
  });

  it.each([
    ["marks", "\u0301\u0323"],
    ["half-width marks", "\uff9e\u0323"],
    ["marks of another plane", "\u{1e8d0}\u{1e947}"],
  ])("takes time linear in a run of %s", (_, unit) => {
    const text = `a${unit.repeat(300_000)}`;
    const start = performance.now();
    for (const form of forms) normalForm(text, form);
    // The engine takes 200 s.
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe("a field's name", () => {
  it("is folded in bounded time", () => {
    const start = performance.now();
    foldName("\ufdfa".repeat(900_000));
    foldName(`tools${"\u0301\u0323".repeat(400_000)}`);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(foldName(`to\u0301ols${"\u200b".repeat(1_000)}`)).toBe("tools");
  });
});
