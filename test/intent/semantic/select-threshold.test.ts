import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectThreshold, type Trial } from "../../../src/intent/semantic/calibration.ts";

/** Its confidence is `confidence` with the weight 1. */
const trial = (confidence: number, right: boolean, weight = 1): Trial => ({
  signals: [Math.log(confidence / (1 - confidence))],
  right,
  weight,
});
const many = (count: number, confidence: number, right: boolean) =>
  Array.from({ length: count }, () => trial(confidence, right));
const thresholdOf = (trials: readonly Trial[]) => selectThreshold(trials, [1]);

describe("a policy's own threshold", () => {
  it("is the strictest one without trials, and with a few that were right by chance", () => {
    expect(thresholdOf([])).toBe(0.98);
    expect(thresholdOf(many(5, 0.8, true))).toBe(0.98);
  });

  it("goes down to where the trials begin to be wrong, and never under one half", () => {
    const sure = many(300, 0.97, true);
    expect(thresholdOf([...sure, ...many(100, 0.7, true), ...many(100, 0.6, false)])).toBeCloseTo(0.7);
    expect(thresholdOf([...sure, ...many(2000, 0.2, true)])).toBe(0.5);
  });

  it("stays above what is wrong for sure", () => {
    const trials = [...many(500, 0.95, true), ...many(40, 0.9, false), ...many(100, 0.8, true)];
    expect(thresholdOf(trials)).toBeCloseTo(0.95);
  });

  it("is_strict_and_never_absurd", () => {
    const any = fc.record({
      confidence: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      right: fc.boolean(),
      weight: fc.double({ min: 0.01, max: 3, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (all) => {
        const threshold = thresholdOf(all.map(({ confidence, right, weight }) => trial(confidence, right, weight)));
        expect(threshold).toBeGreaterThanOrEqual(0.5);
        expect(threshold).toBeLessThanOrEqual(0.98);
      }),
    );
  });
});
