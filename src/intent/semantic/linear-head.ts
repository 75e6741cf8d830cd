/**
 * The scores of the classes: multinomial logistic regression on a dense vector and sparse pieces. A piece has weights only
 * for the classes whose examples hold it: that is less than a hundredth of all weights, it is what makes the model small and quick,
 * and with few examples it is no worse. Pure, deterministic.
 */

export interface Sample {
  readonly dense: Float32Array;
  /** Pieces of the vocabulary, each once, and how much each counts. */
  readonly pieces: Int32Array;
  readonly values: Float32Array;
  readonly label: number;
}

export interface LinearHead {
  readonly classes: number;
  readonly dimensions: number;
  /** One row a class. */
  readonly dense: Float32Array;
  /** Piece `p` has the weights `starts[p]` to `starts[p + 1]`, each for the class in `columns`. */
  readonly starts: Int32Array;
  readonly columns: Uint16Array;
  readonly weights: Float32Array;
}

/** All weights zero; which there are follows from the samples. */
export function emptyHead(samples: readonly Sample[], classes: number, dimensions: number, pieces: number): LinearHead {
  const columnsOf: number[][] = Array.from({ length: pieces }, () => []);
  for (const { pieces: met, label } of samples) {
    for (const piece of met) {
      const columns = columnsOf[piece] ?? [];
      if (!columns.includes(label)) columns.push(label);
    }
  }
  const starts = new Int32Array(pieces + 1);
  columnsOf.forEach((columns, piece) => {
    starts[piece + 1] = (starts[piece] ?? 0) + columns.length;
  });
  const count = starts[pieces] ?? 0;
  const columns = Uint16Array.from(columnsOf.flat());
  return {
    classes,
    dimensions,
    dense: new Float32Array(classes * dimensions),
    starts,
    columns,
    weights: new Float32Array(count),
  };
}

/** Writes the score of each class. */
export function score(
  head: LinearHead,
  sample: Pick<Sample, "dense" | "pieces" | "values">,
  count: number,
  scores: Float32Array,
): void {
  const { classes, dimensions, dense, starts, columns, weights } = head;
  const x = sample.dense;
  for (let c = 0, at = 0; c < classes; c++) {
    let a = 0;
    let b = 0;
    let d = 0;
    let e = 0;
    for (let i = 0; i < dimensions; i += 4, at += 4) {
      a += (dense[at] as number) * (x[i] as number);
      b += (dense[at + 1] as number) * (x[i + 1] as number);
      d += (dense[at + 2] as number) * (x[i + 2] as number);
      e += (dense[at + 3] as number) * (x[i + 3] as number);
    }
    scores[c] = a + b + d + e;
  }
  for (let k = 0; k < count; k++) {
    const piece = sample.pieces[k] as number;
    const value = sample.values[k] as number;
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      const column = columns[at] as number;
      scores[column] = (scores[column] as number) + (weights[at] as number) * value;
    }
  }
}

/** Share of the text's pieces, by weight, that are in texts of the class. */
export function sharedWith(
  head: LinearHead,
  sample: Pick<Sample, "pieces" | "values">,
  count: number,
  label: number,
): number {
  const { starts, columns } = head;
  let shared = 0;
  for (let k = 0; k < count; k++) {
    const piece = sample.pieces[k] as number;
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      if (columns[at] !== label) continue;
      shared += (sample.values[k] as number) ** 2;
      break;
    }
  }
  // Words and runs of characters are each of length 1.
  return shared / 2;
}

/** Share of the target that is spread over all classes: keeps the scores of few examples from growing without end. */
const smoothing = 0.1;

/** Goes over the samples `epochs` times in a fixed shuffled order, each step smaller than the one before. */
export function trainHead(head: LinearHead, samples: readonly Sample[], epochs: number, rate: number): void {
  const errors = new Float32Array(head.classes);
  const order = Uint32Array.from(samples.keys());
  let seed = 1;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const j = Math.floor((seed / 2 ** 32) * (i + 1));
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    const step = rate * (1 - epoch / epochs);
    for (const n of order) {
      const sample = samples[n] as Sample;
      score(head, sample, sample.pieces.length, errors);
      toErrors(errors, sample.label);
      descend(head, sample, errors, step);
    }
  }
}

/** Scores become what is too much of each class's probability. */
function toErrors(scores: Float32Array, label: number): void {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of scores) if (value > top) top = value;
  let sum = 0;
  for (let c = 0; c < scores.length; c++) {
    const value = Math.exp((scores[c] as number) - top);
    scores[c] = value;
    sum += value;
  }
  const base = smoothing / scores.length;
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] as number) / sum - base;
  scores[label] = (scores[label] as number) - (1 - smoothing);
}

/** Errors too small to matter are passed over: after the first epochs that is nearly all of them. */
const negligible = 2e-4;

function descend(head: LinearHead, { dense: x, pieces, values }: Sample, errors: Float32Array, step: number): void {
  const { dimensions, dense, starts, columns, weights } = head;
  for (let c = 0; c < errors.length; c++) {
    const by = step * (errors[c] as number);
    if (Math.abs(errors[c] as number) < negligible) continue;
    const row = c * dimensions;
    for (let i = 0; i < dimensions; i++) dense[row + i] = (dense[row + i] as number) - by * (x[i] as number);
  }
  for (let k = 0; k < pieces.length; k++) {
    const piece = pieces[k] as number;
    const by = step * (values[k] as number);
    const end = starts[piece + 1] as number;
    for (let at = starts[piece] as number; at < end; at++) {
      weights[at] = (weights[at] as number) - by * (errors[columns[at] as number] as number);
    }
  }
}
