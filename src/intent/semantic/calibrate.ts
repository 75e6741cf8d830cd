/**
 * Signals → the probability that the guess is right. Learnt from the policy's own texts, each guessed by a model that has not seen
 * it; each is also asked with its own intent forbidden, which is what a message about something else looks like. Pure, deterministic.
 */
import { signalCount } from "./signals.ts";

export interface Trial {
  readonly signals: Float32Array;
  readonly right: boolean;
  readonly weight: number;
}

/** What is believed before a policy's own texts are asked; with two intents of one example each, it is all there is. */
const prior = Float64Array.of(-6, 0.5, 0.4, 4, 3);
/** How firmly: as so many trials would. */
const firmness = Float64Array.of(1, 2, 2, 2, 2);

/** Logistic regression by Newton's method, drawn to the prior. */
export function calibrate(trials: readonly Trial[]): Float32Array {
  let weights = Float64Array.from(prior);
  for (let round = 0; round < 12; round++) {
    const gradient = new Float64Array(signalCount);
    const curve = Array.from({ length: signalCount }, () => new Float64Array(signalCount));
    for (let i = 0; i < signalCount; i++) {
      gradient[i] = (firmness[i] as number) * ((prior[i] as number) - (weights[i] as number));
      (curve[i] as Float64Array)[i] = firmness[i] as number;
    }
    for (const { signals, right, weight } of trials) {
      let sum = 0;
      for (let i = 0; i < signalCount; i++) sum += (weights[i] as number) * (signals[i] as number);
      const p = 1 / (1 + Math.exp(-sum));
      const by = weight * ((right ? 1 : 0) - p);
      const bend = weight * p * (1 - p);
      for (let i = 0; i < signalCount; i++) {
        gradient[i] = (gradient[i] as number) + by * (signals[i] as number);
        const row = curve[i] as Float64Array;
        for (let j = 0; j < signalCount; j++)
          row[j] = (row[j] as number) + bend * (signals[i] as number) * (signals[j] as number);
      }
    }
    const move = solve(curve, gradient);
    weights = weights.map((weight, i) => weight + (move[i] as number));
  }
  return Float32Array.from(weights);
}

/** Gauss's elimination of a small positive definite system. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const rows = matrix.map((row) => Float64Array.from(row));
  const x = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    const pivot = rows[i] as Float64Array;
    for (let k = i + 1; k < n; k++) {
      const row = rows[k] as Float64Array;
      const by = (row[i] as number) / (pivot[i] as number);
      for (let j = i; j < n; j++) row[j] = (row[j] as number) - by * (pivot[j] as number);
      x[k] = (x[k] as number) - by * (x[i] as number);
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = rows[i] as Float64Array;
    for (let j = i + 1; j < n; j++) x[i] = (x[i] as number) - (row[j] as number) * (x[j] as number);
    x[i] = (x[i] as number) / (row[i] as number);
  }
  return x;
}
