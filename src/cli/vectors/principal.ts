/** The directions in which sentences differ most. Pure, deterministic. */

interface Axes {
  readonly mean: Float64Array;
  /** One row per axis, of length 1, ordered by decreasing spread. */
  readonly axes: readonly Float64Array[];
  /** Variance along each axis. */
  readonly spread: readonly number[];
}

const rounds = 60;

/** @param rows each of `width` numbers; every third row is used. */
export function principalAxes(rows: Float32Array, width: number, count: number): Axes {
  const covariance = covarianceOf(rows, width);
  let axes: Float64Array[] = Array.from({ length: count }, (_, i) =>
    Float64Array.from({ length: width }, (_, j) => Math.cos((i + 1) * (j + 0.5)) + (i === j ? 1 : 0)),
  );
  // Orthogonal iteration. Iterating more axes than needed would converge faster; sixty rounds are enough.
  for (let round = 0; round < rounds; round++) axes = orthonormal(axes.map((axis) => times(covariance.matrix, axis)));
  const spread = axes.map((axis) => dot(axis, times(covariance.matrix, axis)));
  const order = [...axes.keys()].sort((a, b) => (spread[b] ?? 0) - (spread[a] ?? 0));
  return {
    mean: covariance.mean,
    axes: order.map((i) => axes[i] as Float64Array),
    spread: order.map((i) => spread[i] as number),
  };
}

function covarianceOf(rows: Float32Array, width: number): { mean: Float64Array; matrix: Float64Array[] } {
  const mean = new Float64Array(width);
  const matrix = Array.from({ length: width }, () => new Float64Array(width));
  let seen = 0;
  for (let from = 0; from + width <= rows.length; from += 3 * width, seen++) {
    for (let i = 0; i < width; i++) {
      const value = rows[from + i] as number;
      mean[i] = (mean[i] as number) + value;
      const line = matrix[i] as Float64Array;
      for (let j = 0; j <= i; j++) line[j] = (line[j] as number) + value * (rows[from + j] as number);
    }
  }
  for (let i = 0; i < width; i++) mean[i] = (mean[i] as number) / seen;
  matrix.forEach((line, i) => {
    for (let j = 0; j <= i; j++) {
      line[j] = (line[j] as number) / seen - (mean[i] as number) * (mean[j] as number);
      (matrix[j] as Float64Array)[i] = line[j] as number;
    }
  });
  return { mean, matrix };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

const times = (matrix: readonly Float64Array[], vector: Float64Array): Float64Array =>
  Float64Array.from(matrix, (line) => dot(line, vector));

/** Gram–Schmidt orthogonalisation. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = [];
  for (const vector of vectors) {
    const rest = Float64Array.from(vector);
    for (const one of done) {
      const share = dot(rest, one);
      for (let i = 0; i < rest.length; i++) rest[i] = (rest[i] as number) - share * (one[i] as number);
    }
    const length = Math.sqrt(dot(rest, rest));
    done.push(rest.map((value) => value / length));
  }
  return done;
}
