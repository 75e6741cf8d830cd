import { describe, expect, it } from "vitest";
import { descend, emptyClassifier, type Sample, scoresOf } from "../../../src/intent/semantic/classifier.ts";

const dimensions = 8;

/** One piece of its own, and a random direction that is the same at every run. */
function sampleOf(label: number): Sample {
  const dense = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(label * 12.9898 + i * 78.233));
  return {
    dense,
    pieces: Uint32Array.of(label),
    values: Float32Array.of(1),
    seen: 1,
    known: 1,
    text: `${label}`,
    label,
  };
}

describe("the classifier", () => {
  it.each([3, 260, 1200])("learns %i classes, more than one step compares", (classes) => {
    const samples = Array.from({ length: classes }, (_, label) => sampleOf(label));
    const classifier = emptyClassifier(samples, classes, dimensions, classes);
    for (const _slice of descend(classifier, samples, 12, 1)) void _slice;
    const right = samples.filter((sample) => {
      const { scores } = scoresOf(classifier, sample);
      return scores.indexOf(Math.max(...scores)) === sample.label;
    });
    expect(right.length / classes).toBeGreaterThan(0.97);
  });
});
