/** Rows of a matrix as they are kept: unit vectors in one signed byte a component, and what each must be scaled by. Pure. */

export interface Rows {
  readonly count: number;
  readonly dimensions: number;
  readonly bytes: Int8Array;
  readonly scales: Float32Array;
}

/** Length 1. Undefined for a vector that points nowhere, or holds what is no number. */
export function unit(vector: ArrayLike<number>): Float32Array | undefined {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) ** 2;
  if (!(sum > 0) || !Number.isFinite(sum)) return undefined;
  const length = Math.sqrt(sum);
  return Float32Array.from(vector, (value) => value / length);
}

/** @param vectors of length 1, all of the same dimensions. */
export function packRows(vectors: readonly Float32Array[]): Rows {
  const dimensions = vectors[0]?.length ?? 0;
  const bytes = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  vectors.forEach((vector, row) => {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[row] = largest / 127;
    for (let i = 0; i < dimensions; i++) bytes[row * dimensions + i] = Math.round(((vector[i] ?? 0) / largest) * 127);
  });
  return { count: vectors.length, dimensions, bytes, scales };
}

/** The cosine of a row and a unit vector. */
export function cosine({ dimensions, bytes, scales }: Rows, row: number, vector: Float32Array): number {
  let sum = 0;
  const start = row * dimensions;
  for (let i = 0; i < dimensions; i++) sum += (bytes[start + i] as number) * (vector[i] as number);
  return sum * (scales[row] as number);
}
