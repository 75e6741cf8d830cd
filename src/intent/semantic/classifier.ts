/**
 * Multinomial logistic regression on a dense vector and sparse pieces. Pure, deterministic.
 * A piece has weights only for the classes whose texts hold it. These are less than a hundredth of all weights: the model
 * is small and quick, and with few texts no worse.
 */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import type { TextFeatures } from "./encoder.ts";

export interface Sample extends TextFeatures {
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

/** A piece that more classes hold has no weights: it says little of any, and would take most of the time. */
const mostHolders = 500;

/** All weights are zero; which weights there are follows from the samples. */
export function emptyClassifier(
  samples: readonly Sample[],
  classes: number,
  dimensions: number,
  pieces: number,
): Classifier {
  const columnsOf = Array.from({ length: pieces }, () => new Set<number>());
  for (const sample of samples) for (const piece of sample.pieces) columnsOf[piece]?.add(sample.label);
  for (const labels of columnsOf) if (labels.size > mostHolders) labels.clear();
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

/** The beginning of each group in a list of groups of these sizes, and the end of the last one. */
export function startsOf(sizes: ArrayLike<number>): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = (starts[i] as number) + (sizes[i] as number);
  return starts;
}

/** The scores of a text for each class. */
export interface Scores {
  readonly scores: Float32Array;
  /** Share of the text's pieces, by weight, that are in texts of the class. */
  readonly shares: Float64Array;
}

/** Plain loops: a model of 150 intents takes 20,000 multiplications for each message. */
export function scoresOf(classifier: Classifier, { dense: meaning, pieces, values }: TextFeatures): Scores {
  const { classes, dimensions, dense, starts, columns, weights } = classifier;
  const scores = new Float32Array(classes);
  const shares = new Float64Array(classes);
  for (let c = 0; c < classes; c++) scores[c] = dotRow(dense, c * dimensions, meaning);
  for (let k = 0; k < pieces.length; k++) {
    const piece = pieces[k] as number;
    const value = values[k] as number;
    // Words and runs of characters are each of length 1.
    const share = (value * value) / 2;
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      const column = columns[at] as number;
      scores[column] = (scores[column] as number) + (weights[at] as number) * value;
      shares[column] = (shares[column] as number) + share;
    }
  }
  return { scores, shares };
}

export const dot = (a: Float32Array, b: Float32Array): number => dotRow(a, 0, b);

/** With the row that starts there. Four sums at once, which the processor adds side by side. */
export function dotRow(rows: Float32Array, at: number, b: Float32Array): number {
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

/** Share of the target that is spread over all classes: it bounds the scores if texts are few. */
const smoothing = 0.05;
/** Smaller errors are skipped; after the first epochs almost all are. */
const negligible = 1e-3;

/**
 * With more classes a step compares the sample's own class with every second of the others, every third, and so on, in turns: 4,000
 * intents are trained in a fifth of the time, and no worse.
 */
const mostCompared = 250;

/** Some 20 ms, with 150 classes. */
const stepsOfSlice = 500;

/** Visits all samples `epochs` times in a fixed shuffled order, each step smaller than the one before. Yields at points where it may pause. */
export function* descend(
  classifier: Classifier,
  samples: readonly Sample[],
  epochs: number,
  rate: number,
): CooperativeTask<void> {
  const order = Uint32Array.from(samples.keys());
  const every = Math.ceil(classifier.classes / mostCompared);
  const turns = Uint16Array.from({ length: classifier.classes }, (_, c) => c % every);
  const errors = new Float32Array(classifier.classes);
  let seed = 1;
  let turn = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const j = Math.floor((seed / 2 ** 32) * (i + 1));
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    const step = rate * (1 - epoch / epochs);
    for (const n of order) {
      const sample = samples[n] as Sample;
      const compared = { first: turn++ % every, every, label: sample.label, turns };
      findErrors(classifier, sample, compared, errors);
      update(classifier, sample, compared, errors, step);
      if (turn % stepsOfSlice === 0) yield;
    }
  }
}

/** The classes `first`, `first + every`, … and `label`. */
interface ComparedClasses {
  readonly first: number;
  readonly every: number;
  readonly label: number;
  /** `first` of the steps that compare a class. */
  readonly turns: Uint16Array;
}

/** How much too large the probability of each compared class is. The other errors are not touched. */
function findErrors(
  { classes, dimensions, dense, starts, columns, weights }: Classifier,
  sample: Sample,
  { first, every, label, turns }: ComparedClasses,
  errors: Float32Array,
): void {
  errors[label] = dotRow(dense, label * dimensions, sample.dense);
  for (let c = first; c < classes; c += every) errors[c] = dotRow(dense, c * dimensions, sample.dense);
  for (let k = 0; k < sample.pieces.length; k++) {
    const piece = sample.pieces[k] as number;
    const value = sample.values[k] as number;
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      const column = columns[at] as number;
      if (every > 1 && turns[column] !== first && column !== label) continue;
      errors[column] = (errors[column] as number) + (weights[at] as number) * value;
    }
  }
  let top = errors[label] as number;
  for (let c = first; c < classes; c += every) top = Math.max(top, errors[c] as number);
  let sum = label % every === first ? 0 : Math.exp((errors[label] as number) - top);
  for (let c = first; c < classes; c += every) sum += Math.exp((errors[c] as number) - top);
  const base = smoothing / Math.ceil(classes / every);
  const own = Math.exp((errors[label] as number) - top) / sum - base - (1 - smoothing);
  for (let c = first; c < classes; c += every) errors[c] = Math.exp((errors[c] as number) - top) / sum - base;
  errors[label] = own;
}

function update(
  { classes, dimensions, dense, starts, columns, weights }: Classifier,
  sample: Sample,
  { first, every, label, turns }: ComparedClasses,
  errors: Float32Array,
  step: number,
): void {
  const change = (c: number): void => {
    const by = step * (errors[c] as number);
    const row = c * dimensions;
    for (let i = 0; i < dimensions; i++) {
      dense[row + i] = (dense[row + i] as number) - by * (sample.dense[i] as number);
    }
  };
  change(label);
  for (let c = first; c < classes; c += every) {
    if (c !== label && Math.abs(errors[c] as number) >= negligible) change(c);
  }
  for (let k = 0; k < sample.pieces.length; k++) {
    const piece = sample.pieces[k] as number;
    const by = step * (sample.values[k] as number);
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      const column = columns[at] as number;
      if (every > 1 && turns[column] !== first && column !== label) continue;
      weights[at] = (weights[at] as number) - by * (errors[column] as number);
    }
  }
}
