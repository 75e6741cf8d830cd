/**
 * The directions in which texts of one intent differ from each other say nothing about which intent it is: they are made short
 * before the head is trained, as linear discriminant analysis does, drawn to no change where there are few texts. Pure.
 */

export interface Whitening {
  apply(vector: Float32Array): Float32Array;
  /** Weights for whitened vectors → weights for vectors as they are, in place. */
  fold(weights: Float32Array): void;
}

/** With so many texts beyond one a class, half is believed. */
const believable = 900;

/** @param vectors of one length each, with the label of each. */
export function whiteningOf(
  vectors: readonly Float32Array[],
  labels: readonly number[],
  classes: number,
  dimensions: number,
): Whitening {
  const factor = factorOf(spreadWithin(vectors, labels, classes, dimensions), dimensions);
  const solve = (vector: Float32Array): Float32Array => {
    const out = new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) {
      let rest = vector[i] as number;
      const row = i * dimensions;
      for (let k = 0; k < i; k++) rest -= (factor[row + k] as number) * (out[k] as number);
      out[i] = rest / (factor[row + i] as number);
    }
    return out;
  };
  let square = 0;
  for (const vector of vectors) for (const value of solve(vector)) square += value * value;
  const scale = square > 0 ? Math.sqrt(vectors.length / square) : 1;
  const fold = (weights: Float32Array): void => {
    for (let i = dimensions - 1; i >= 0; i--) {
      let rest = (weights[i] as number) * scale;
      for (let k = i + 1; k < dimensions; k++) rest -= (factor[k * dimensions + i] as number) * (weights[k] as number);
      weights[i] = rest / (factor[i * dimensions + i] as number);
    }
  };
  return { apply: (vector) => solve(vector).map((value) => value * scale), fold };
}

/** Covariance around the classes' means, its lower half, drawn to a multiple of the identity. */
function spreadWithin(
  vectors: readonly Float32Array[],
  labels: readonly number[],
  classes: number,
  dimensions: number,
): Float64Array {
  const means = Array.from({ length: classes }, () => new Float64Array(dimensions));
  const counts = new Uint32Array(classes);
  vectors.forEach((vector, n) => {
    const mean = means[labels[n] as number] as Float64Array;
    counts[labels[n] as number] = (counts[labels[n] as number] as number) + 1;
    for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) + (vector[i] as number);
  });
  means.forEach((mean, c) => {
    for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) / Math.max(1, counts[c] as number);
  });
  const spread = new Float64Array(dimensions * dimensions);
  const off = new Float64Array(dimensions);
  vectors.forEach((vector, n) => {
    const mean = means[labels[n] as number] as Float64Array;
    for (let i = 0; i < dimensions; i++) off[i] = (vector[i] as number) - (mean[i] as number);
    for (let i = 0; i < dimensions; i++) {
      const value = off[i] as number;
      for (let k = 0, at = i * dimensions; k <= i; k++, at++)
        spread[at] = (spread[at] as number) + value * (off[k] as number);
    }
  });
  const freedom = vectors.length - counts.filter((count) => count > 0).length;
  drawToIdentity(spread, dimensions, 1 / (1 + freedom / believable));
  return spread;
}

function drawToIdentity(spread: Float64Array, dimensions: number, share: number): void {
  let trace = 0;
  for (let i = 0; i < dimensions; i++) trace += spread[i * dimensions + i] as number;
  const even = trace > 0 ? trace / dimensions : 1;
  for (let i = 0; i < dimensions; i++) {
    for (let k = 0; k <= i; k++) {
      const at = i * dimensions + k;
      spread[at] = (1 - share) * (trace > 0 ? (spread[at] as number) : 0) + (i === k ? share * even : 0);
    }
  }
}

/** Cholesky's lower factor, in place. */
function factorOf(matrix: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i * n + j] as number;
      for (let k = 0; k < j; k++) rest -= (matrix[i * n + k] as number) * (matrix[j * n + k] as number);
      matrix[i * n + j] = i === j ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (matrix[j * n + j] as number);
    }
  }
  return matrix;
}
