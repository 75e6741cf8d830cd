/**
 * Multinomial logistic regression on a dense vector and sparse pieces. Pure, deterministic.
 * A piece has weights only for the classes whose texts hold it. These are less than a hundredth of all weights: the model
 * is small and quick, and with few texts no worse.
 */
import type { Encoded } from "./encoder.ts";

export interface Sample extends Encoded {
  readonly text: string;
  readonly label: number;
}

export interface Classifier {
  readonly classes: number;
  readonly dimensions: number;
  /** One row a class. */
  readonly dense: Float32Array;
  /** Piece `p` has the weights `starts[p]` to `starts[p + 1]`, each for the class in `columns`. */
  readonly starts: Int32Array;
  readonly columns: Uint16Array;
  readonly weights: Float32Array;
}

/** All weights are zero; which weights there are follows from the samples. */
export function emptyClassifier(
  samples: readonly Sample[],
  classes: number,
  dimensions: number,
  pieces: number,
): Classifier {
  const columnsOf = Array.from({ length: pieces }, () => new Set<number>());
  for (const sample of samples) for (const piece of sample.pieces) columnsOf[piece]?.add(sample.label);
  const columns = Uint16Array.from(columnsOf.flatMap((labels) => [...labels]));
  return {
    classes,
    dimensions,
    dense: new Float32Array(classes * dimensions),
    starts: startsOf(columnsOf.map(({ size }) => size)),
    columns,
    weights: new Float32Array(columns.length),
  };
}

/** Where each group begins in a list of groups of these sizes, and where the last one ends. */
export function startsOf(sizes: ArrayLike<number>): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = (starts[i] as number) + (sizes[i] as number);
  return starts;
}

/** The score of each class. Plain loops: a model of 150 intents takes 20,000 multiplications for each message. */
export function scoresOf({ classes, dimensions, ...head }: Classifier, sample: Encoded): Float32Array {
  const scores = new Float32Array(classes);
  for (let c = 0; c < classes; c++) scores[c] = dotRow(head.dense, c * dimensions, sample.dense);
  for (let k = 0; k < sample.pieces.length; k++) {
    const piece = sample.pieces[k] as number;
    const value = sample.values[k] as number;
    const end = head.starts[piece + 1] as number;
    for (let at = head.starts[piece] as number; at < end; at++) {
      const column = head.columns[at] as number;
      scores[column] = (scores[column] as number) + (head.weights[at] as number) * value;
    }
  }
  return scores;
}

export const dot = (a: Float32Array, b: Float32Array): number => dotRow(a, 0, b);

/** Four sums at once, which the processor adds side by side. */
function dotRow(rows: Float32Array, at: number, b: Float32Array): number {
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  for (let i = 0; i < b.length; i += 4) {
    s += (rows[at + i] as number) * (b[i] as number);
    t += (rows[at + i + 1] as number) * (b[i + 1] as number);
    u += (rows[at + i + 2] as number) * (b[i + 2] as number);
    v += (rows[at + i + 3] as number) * (b[i + 3] as number);
  }
  return s + t + u + v;
}

/** Share of the text's pieces, by weight, that are in texts of the class. */
export function sharedWith({ starts, columns }: Classifier, { pieces, values }: Encoded, label: number): number {
  let shared = 0;
  for (let k = 0; k < pieces.length; k++) {
    const piece = pieces[k] as number;
    const end = starts[piece + 1] as number;
    let at = starts[piece] as number;
    while (at < end && columns[at] !== label) at++;
    if (at < end) shared += (values[k] as number) ** 2;
  }
  // Words and runs of characters are each of length 1.
  return shared / 2;
}

/** Share of the target that is spread over all classes: it bounds the scores where texts are few. */
const smoothing = 0.1;
/** Smaller errors are skipped; after the first epochs almost all are. */
const negligible = 2e-4;

/** Visits all samples `epochs` times in a fixed shuffled order, each step smaller than the one before. */
export function descend(classifier: Classifier, samples: readonly Sample[], epochs: number, rate: number): void {
  const order = Uint32Array.from(samples.keys());
  let seed = 1;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const j = Math.floor((seed / 2 ** 32) * (i + 1));
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    const step = rate * (1 - epoch / epochs);
    for (const n of order) update(classifier, samples[n] as Sample, step);
  }
}

function update(classifier: Classifier, sample: Sample, step: number): void {
  const { dimensions, dense, starts, columns, weights } = classifier;
  const errors = errorsOf(scoresOf(classifier, sample), sample.label);
  for (let c = 0; c < errors.length; c++) {
    const by = step * (errors[c] as number);
    if (Math.abs(errors[c] as number) < negligible) continue;
    const row = c * dimensions;
    for (let i = 0; i < dimensions; i++) {
      dense[row + i] = (dense[row + i] as number) - by * (sample.dense[i] as number);
    }
  }
  for (let k = 0; k < sample.pieces.length; k++) {
    const piece = sample.pieces[k] as number;
    const by = step * (sample.values[k] as number);
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      weights[at] = (weights[at] as number) - by * (errors[columns[at] as number] as number);
    }
  }
}

/** How much too large the probability of each class is. */
function errorsOf(scores: Float32Array, label: number): Float32Array {
  const top = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((total, one) => total + one, 0);
  const base = smoothing / scores.length;
  return odds.map((one, c) => one / sum - base - (c === label ? 1 - smoothing : 0));
}
