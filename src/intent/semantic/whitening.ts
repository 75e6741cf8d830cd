/**
 * Linear discriminant analysis: the directions in which texts of one intent differ say nothing about which intent it is, so they
 * are made short before the classifier is trained. If texts are few the covariance shrinks towards the identity. Pure.
 */
import { factorise, solveLower, solveUpper } from "./cholesky.ts";
import type { Sample } from "./classifier.ts";

interface Whitening {
  apply(vector: Float32Array): Float32Array;
  /** Weights for whitened vectors → weights for vectors as they are. */
  unapply(weights: Float32Array): Float64Array;
}

/** With so many more texts than classes, the covariance counts for half and the identity for half. */
const halfTrusted = 900;

/** @param samples whose labels are below `classes`. */
export function whiteningOf(samples: readonly Sample[], classes: number, dimensions: number): Whitening {
  const factor = factorise(covarianceWithin(samples, classes, dimensions), dimensions);
  let square = 0;
  for (const { dense } of samples) for (const value of solveLower(factor, dense)) square += value * value;
  const scale = square > 0 ? Math.sqrt(samples.length / square) : 1;
  return {
    apply: (vector) => Float32Array.from(solveLower(factor, vector), (value) => value * scale),
    unapply: (weights) => solveUpper(factor, weights).map((value) => value * scale),
  };
}

/** The covariance around the classes' means, shrunk towards a multiple of the identity. */
function covarianceWithin(samples: readonly Sample[], classes: number, dimensions: number): Float64Array {
  const means = Array.from({ length: classes }, () => new Float64Array(dimensions));
  const counts = new Uint32Array(classes);
  for (const { dense, label } of samples) {
    counts[label] = (counts[label] as number) + 1;
    const sum = means[label] as Float64Array;
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) + (dense[i] as number);
  }
  means.forEach((sum, label) => {
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) / Math.max(1, counts[label] as number);
  });
  const covariance = new Float64Array(dimensions * dimensions);
  for (const { dense, label } of samples) {
    const mean = means[label] as Float64Array;
    const off = mean.map((value, i) => (dense[i] as number) - value);
    for (let i = 0; i < dimensions; i++) {
      for (let k = 0; k <= i; k++) {
        const at = i * dimensions + k;
        covariance[at] = (covariance[at] as number) + (off[i] as number) * (off[k] as number);
      }
    }
  }
  const freedom = samples.length - counts.filter((count) => count > 0).length;
  return shrunk(covariance, dimensions, 1 / (1 + freedom / halfTrusted));
}

/** @param share of the identity, which gets the covariance's mean variance. */
function shrunk(covariance: Float64Array, dimensions: number, share: number): Float64Array {
  const isDiagonal = (at: number) => at % (dimensions + 1) === 0;
  const trace = covariance.reduce((sum, value, at) => (isDiagonal(at) ? sum + value : sum), 0);
  const variance = trace > 0 ? trace / dimensions : 1;
  const kept = trace > 0 ? 1 - share : 0;
  return covariance.map((value, at) => kept * value + (isDiagonal(at) ? share * variance : 0));
}
