/**
 * Fits vectors whose weighted sums are nearest to the teacher's embeddings of whole sentences: least squares, regularised towards the
 * embeddings of single words. Conjugate gradients, all dimensions at once. Pure, deterministic.
 */
import { hashText, pairHash } from "../../intent/semantic/hash.ts";
import { wordsOf } from "../../intent/semantic/words.ts";

const rounds = 30;

/**
 * @param prior one row of `width` numbers per column of the bags.
 * @param priorWeights weights of the prior, by column.
 * @param target one row of `width` numbers per bag.
 */
export function fitVectors(
  bags: Bags,
  target: Float32Array,
  prior: Float32Array,
  priorWeights: Float32Array,
  width: number,
): Float32Array {
  const start = multiply(bags, prior, width);
  const remainder = target.map((value, i) => value - (start[i] as number));
  const change = new Float32Array(prior.length);
  const residue = multiplyTransposed(bags, remainder, prior.length, width);
  const direction = residue.slice();
  let squares = columnDots(residue, residue, width);
  for (let round = 0; round < rounds; round++) {
    const image = multiplyTransposed(bags, multiply(bags, direction, width), prior.length, width);
    for (let i = 0; i < image.length; i++) {
      image[i] = (image[i] as number) + (priorWeights[Math.floor(i / width)] as number) * (direction[i] as number);
    }
    const along = columnDots(direction, image, width);
    const step = squares.map((square, j) => square / Math.max(1e-12, along[j] as number));
    for (let i = 0; i < change.length; i++) {
      const by = step[i % width] as number;
      change[i] = (change[i] as number) + by * (direction[i] as number);
      residue[i] = (residue[i] as number) - by * (image[i] as number);
    }
    const next = columnDots(residue, residue, width);
    for (let i = 0; i < direction.length; i++) {
      const keep = (next[i % width] as number) / Math.max(1e-12, squares[i % width] as number);
      direction[i] = (residue[i] as number) + keep * (direction[i] as number);
    }
    squares = next;
  }
  return change.map((value, i) => value + (prior[i] as number));
}

/** The product of the bags and the rows. */
function multiply({ starts, columns, weights }: Bags, rows: Float32Array, width: number): Float32Array {
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

/** The product of the transposed bags and the values. */
function multiplyTransposed(
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

/** Row `i` holds the columns `columns[starts[i]]` to `columns[starts[i + 1]]`, each with the weight `weights[i]`. */
interface Bags {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly weights: Float64Array;
}

/** The hashes of all words and of all pairs of neighbours, in order; the border of the text counts as a neighbour with hash 0. */
function hashesOf(text: string): { words: number[]; pairs: number[] } {
  const words = wordsOf(text).map(hashText);
  const pairs = words.map((hash, i) => pairHash(words[i - 1] ?? 0, hash));
  if (words.length > 0) pairs.push(pairHash(words.at(-1) ?? 0, 0));
  return { words, pairs };
}

/** Hashes of pairs of known words with at least this number of occurrences, the most frequent first. */
export function frequentPairs(texts: readonly string[], known: ReadonlySet<number>, least: number): number[] {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const { words, pairs } = hashesOf(text);
    pairs.forEach((pair, i) => {
      const [first, second] = [words[i - 1], words[i]];
      const isKnown = (first === undefined || known.has(first)) && (second === undefined || known.has(second));
      if (isKnown) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    });
  }
  const frequent = [...counts].filter(([, count]) => count >= least);
  return frequent.sort(([a, m], [b, n]) => n - m || a - b).map(([pair]) => pair);
}

/** Sums are divided by the root of the number of known words: a sentence's vector is about as long as a word's. */
export function bagsOf(texts: readonly string[], columnOf: ReadonlyMap<number, number>): Bags {
  const starts = new Int32Array(texts.length + 1);
  const weights = new Float64Array(texts.length);
  const columns: number[] = [];
  texts.forEach((text, i) => {
    const { words, pairs } = hashesOf(text);
    const met = words.flatMap((hash) => columnOf.get(hash) ?? []);
    weights[i] = 1 / Math.sqrt(Math.max(1, met.length));
    columns.push(...met, ...pairs.flatMap((hash) => columnOf.get(hash) ?? []));
    starts[i + 1] = columns.length;
  });
  return { starts, columns: Int32Array.from(columns), weights };
}
