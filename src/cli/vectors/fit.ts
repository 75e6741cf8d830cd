/**
 * Vectors whose weighted sums are nearest to what the teacher says of whole sentences: least squares, drawn to what it says of the
 * words alone. Conjugate gradients, all dimensions at once. Pure, deterministic.
 */
import type { Bags } from "./bags.ts";

const rounds = 30;

/**
 * @param prior one row of `width` numbers a column of the bags.
 * @param firmness of the prior, by column.
 * @param target one row of `width` a bag.
 */
export function fitVectors(
  bags: Bags,
  target: Float32Array,
  prior: Float32Array,
  firmness: Float32Array,
  width: number,
): Float32Array {
  const start = weighted(bags, prior, width);
  const rest = target.map((value, i) => value - (start[i] as number));
  const move = new Float32Array(prior.length);
  const residue = gathered(bags, rest, prior.length, width);
  const direction = residue.slice();
  let squares = columnDots(residue, residue, width);
  for (let round = 0; round < rounds; round++) {
    const turned = gathered(bags, weighted(bags, direction, width), prior.length, width);
    for (let i = 0; i < turned.length; i++) {
      turned[i] = (turned[i] as number) + (firmness[Math.floor(i / width)] as number) * (direction[i] as number);
    }
    const along = columnDots(direction, turned, width);
    const step = squares.map((square, j) => square / Math.max(1e-12, along[j] as number));
    for (let i = 0; i < move.length; i++) {
      const by = step[i % width] as number;
      move[i] = (move[i] as number) + by * (direction[i] as number);
      residue[i] = (residue[i] as number) - by * (turned[i] as number);
    }
    const next = columnDots(residue, residue, width);
    for (let i = 0; i < direction.length; i++) {
      const keep = (next[i % width] as number) / Math.max(1e-12, squares[i % width] as number);
      direction[i] = (residue[i] as number) + keep * (direction[i] as number);
    }
    squares = next;
  }
  return move.map((value, i) => value + (prior[i] as number));
}

/** Bags × rows. */
export function weighted({ starts, columns, weights }: Bags, rows: Float32Array, width: number): Float32Array {
  const out = new Float32Array(weights.length * width);
  for (let n = 0; n < weights.length; n++) {
    const weight = weights[n] as number;
    for (let k = starts[n] as number; k < (starts[n + 1] as number); k++) {
      const from = (columns[k] as number) * width;
      for (let j = 0, at = n * width; j < width; j++, at++)
        out[at] = (out[at] as number) + weight * (rows[from + j] as number);
    }
  }
  return out;
}

/** Bags, turned over, × values. */
function gathered(
  { starts, columns, weights }: Bags,
  values: Float32Array,
  length: number,
  width: number,
): Float32Array {
  const out = new Float32Array(length);
  for (let n = 0; n < weights.length; n++) {
    const weight = weights[n] as number;
    for (let k = starts[n] as number; k < (starts[n + 1] as number); k++) {
      const to = (columns[k] as number) * width;
      for (let j = 0, at = n * width; j < width; j++, at++)
        out[to + j] = (out[to + j] as number) + weight * (values[at] as number);
    }
  }
  return out;
}

function columnDots(a: Float32Array, b: Float32Array, width: number): Float64Array {
  const dots = new Float64Array(width);
  for (let i = 0; i < a.length; i++)
    dots[i % width] = (dots[i % width] as number) + (a[i] as number) * (b[i] as number);
  return dots;
}
