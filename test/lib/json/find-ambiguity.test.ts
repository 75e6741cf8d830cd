import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAmbiguity } from "../../../src/lib/json/find-ambiguity.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";

describe("findAmbiguity", () => {
  it.each([
    [{ path: "\ud800" }, "/path"],
    [{ list: ["a", { x: "b\udc00" }] }, "/list/1/x"],
    [{ "\udfff": 1 }, ""],
    [{ path: "a", Path: "b" }, ""],
    [{ deep: { "a/b": [{ path: 1, ｐａｔｈ: 2 }] } }, "/deep/a~1b/0"],
    [{ path: 1, "pa\u200bth": 2 }, ""],
  ])("finds it in %j", (value, path) => {
    expect(findAmbiguity(value, workBudget())).toMatchObject({ path });
  });

  it.each([{}, { path: "𝄞", list: [null, 1, true, "é"] }, { a: { path: 1 }, b: { Path: 2 } }, { "a-b": 1, a_b: 2 }])(
    "finds nothing in %j",
    (value) => {
      expect(findAmbiguity(value, workBudget())).toBeUndefined();
    },
  );

  it("what_is_clear_survives_a_reader_that_lowers_keys_and_replaces_surrogates", () => {
    const key = fc.string({ unit: fc.constantFrom("a", "A", "ａ", "\u200b", "b") });
    const value = fc.letrec((tie) => ({
      any: fc.oneof(fc.string({ unit: "binary" }), fc.dictionary(key, tie("any")), fc.array(tie("any"))),
    })).any;
    const lower = (item: unknown): unknown => {
      if (typeof item === "string") return item.toWellFormed();
      if (Array.isArray(item)) return item.map(lower);
      const entries = Object.entries(item as object);
      const folded = new Map(
        entries.map(([name, inside]) => [
          name.normalize("NFKC").replaceAll("\u200b", "").toLowerCase(),
          [name, lower(inside)] as const,
        ]),
      );
      return Object.fromEntries(folded.values());
    };
    fc.assert(
      fc.property(value, (one) => {
        if (findAmbiguity(one, workBudget()) === undefined) expect(lower(one)).toEqual(one);
      }),
    );
  });
});
