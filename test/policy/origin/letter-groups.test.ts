import fc from "fast-check";
import { expect, it } from "vitest";
import { letterGroupsIn, mayHold } from "../../../src/policy/origin/spelling/letter-groups.ts";

const unit = fc.oneof(fc.constantFrom(..."abc1@. é漢"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 }));
const text = fc.string({ unit, maxLength: 400 });

it("never denies what the text holds", () => {
  fc.assert(
    fc.property(text, text, text, (before, value, after) => {
      expect(mayHold(letterGroupsIn(before + value + after), value)).toBe(true);
    }),
  );
});

it("denies nearly all of what it does not hold", () => {
  const groups = letterGroupsIn(Array.from({ length: 1_000 }, (_, at) => `p${at}@corp.example `).join(""));
  const others = Array.from({ length: 1_000 }, (_, at) => `q${at}@evil.example`);
  expect(others.filter((one) => mayHold(groups, one)).length).toBeLessThan(20);
});
