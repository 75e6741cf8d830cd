/** What speaks for a guess being right, as numbers that mean the same for every policy. Pure. */
import type { Encoded } from "./encoder.ts";

export const signalCount = 5;

/** @param nearest cosine of the text and the nearest example of the class. */
export function signalsOf(
  scores: Float32Array,
  guess: number,
  nearest: number,
  encoded: Pick<Encoded, "seen">,
): Float32Array {
  const own = scores[guess] as number;
  let top = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < scores.length; c++) if (c !== guess && (scores[c] as number) > top) top = scores[c] as number;
  let others = 0;
  for (let c = 0; c < scores.length; c++) if (c !== guess) others += Math.exp((scores[c] as number) - top);
  const rest = scores.length > 1 ? top + Math.log(others) : 0;
  return Float32Array.of(1, clipped(own - rest, 8), clipped(own, 12), nearest, encoded.seen);
}

const clipped = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

export function confidenceOf(weights: ArrayLike<number>, signals: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < signals.length; i++) sum += (weights[i] as number) * (signals[i] as number);
  return 1 / (1 + Math.exp(-sum));
}
