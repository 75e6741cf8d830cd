/** Symmetric positive definite matrices, their rows one after the other; only the lower half is read. Pure. */

/** The lower factor, which replaces the matrix. */
export function factorise(matrix: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i * n + j] as number;
      for (let k = 0; k < j; k++) rest -= (matrix[i * n + k] as number) * (matrix[j * n + k] as number);
      matrix[i * n + j] = i === j ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (matrix[j * n + j] as number);
    }
  }
  return matrix;
}

/** Solves `factor · x = vector`. */
export function solveLower(factor: Float64Array, vector: ArrayLike<number>): Float64Array {
  const n = vector.length;
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let rest = vector[i] as number;
    for (let k = 0; k < i; k++) rest -= (factor[i * n + k] as number) * (x[k] as number);
    x[i] = rest / (factor[i * n + i] as number);
  }
  return x;
}

/** Solves `transposed factor · x = vector`. */
export function solveUpper(factor: Float64Array, vector: ArrayLike<number>): Float64Array {
  const n = vector.length;
  const x = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    let rest = vector[i] as number;
    for (let k = i + 1; k < n; k++) rest -= (factor[k * n + i] as number) * (x[k] as number);
    x[i] = rest / (factor[i * n + i] as number);
  }
  return x;
}
