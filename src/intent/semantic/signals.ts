/** What speaks for a guess being right, as numbers that mean the same for every policy. Pure. */
export const signalCount = 6;

export interface Likeness {
  /** Cosine of the text and the nearest example of the guess. */
  readonly nearest: number;
  /** Share of the text's pieces, by weight, that the guess's texts have. */
  readonly shared: number;
  /** Share of the text's pieces, by weight, that the policy has anywhere. */
  readonly seen: number;
  /** Share of the text's words that have a vector. */
  readonly known: number;
}

/** The highest score, and the sum of all as probabilities before they are brought to 1. */
export interface Field {
  readonly top: number;
  readonly sum: number;
}

/** @param forbidden a class that is taken not to be there. */
export function fieldOf(scores: Float32Array, forbidden = -1): Field {
  let top = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < scores.length; c++) {
    if (c !== forbidden && (scores[c] as number) > top) top = scores[c] as number;
  }
  let sum = 0;
  for (let c = 0; c < scores.length; c++) if (c !== forbidden) sum += Math.exp((scores[c] as number) - top);
  return { top, sum };
}

/**
 * Where the words have no vectors (another language, a name) their meaning cannot be near, and their pieces speak alone.
 * @param own score of the guess, which is in the field.
 */
export function signalsOf(own: number, { top, sum }: Field, { nearest, shared, seen, known }: Likeness): Float32Array {
  const others = sum - Math.exp(own - top);
  // Alone, or all but alone: as far ahead as is told apart.
  const ahead = others > 1e-6 ? own - top - Math.log(others) : signalLimit;
  const near = known * nearest + (1 - known) * shared;
  return Float32Array.of(1, clipped(ahead, signalLimit), clipped(own, 12), near, shared, seen);
}

const signalLimit = 8;

const clipped = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

export function confidenceOf(weights: ArrayLike<number>, signals: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < signals.length; i++) sum += (weights[i] as number) * (signals[i] as number);
  return 1 / (1 + Math.exp(-sum));
}
