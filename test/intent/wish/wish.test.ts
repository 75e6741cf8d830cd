import * as fc from "fast-check";
import { expect, it } from "vitest";
import { continuationOf } from "../../../src/intent/wish/continues.ts";
import { wishOf } from "../../../src/intent/wish/wish.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const anyText = fc.string({ unit: "binary", maxLength: 300 });

it("probabilities_are_one_together", () => {
  fc.assert(
    fc.property(anyText, fc.nat(300), fc.nat(30), (text, start, length) => {
      const wish = wishOf(text, { start, end: start + length });
      expect(Object.values(wish).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
    }),
  );
});

it("the_letters_of_the_candidate_tell_nothing", () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(word, word, (one, other) => {
      const judge = (candidate: string) =>
        wishOf(`please send ${candidate} to Ana`, { start: 12, end: 12 + candidate.length });
      expect(judge(one)).toEqual(judge(other));
    }),
  );
});

it("a_continuation_has_a_probability", () => {
  fc.assert(
    fc.property(fc.option(anyText, { nil: undefined }), anyText, (assistant, text) => {
      const probability = continuationOf({ assistant, text }).continues;
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1.000001);
    }),
  );
});

it.each(["send the note. ", "ノートを", "a", "?", "\u{1F600}", "''"])("reads a part of 64 kB of %j", (part) => {
  const text = part.repeat(65_536 / part.length);
  const began = process.threadCpuUsage();
  for (let i = 0; i < 20; i += 1) {
    wishOf(text, { start: 30_000, end: 30_004 });
    wishOf(text);
    continuationOf({ assistant: text, text });
  }
  expect(cpuSince(began)).toBeLessThan(500);
});
