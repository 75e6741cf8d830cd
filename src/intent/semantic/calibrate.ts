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
const prior = Float64Array.of(-3, 0.4, 1.2, 4, 2, 2);
/** How firmly: as so many trials would. */
const firmness = Float64Array.of(1, 2, 2, 2, 2, 2);

/** Logistic regression by Newton's method, drawn to the prior; a step that would make it worse is halved. */
export function calibrate(trials: readonly Trial[]): Float32Array {
  let weights = Float64Array.from(prior);
  let loss = lossOf(weights, trials);
  for (let round = 0; round < 30; round++) {
    const { gradient, curve } = slopeOf(weights, trials);
    const move = solve(curve, gradient);
    let share = 1;
    let next = weights;
    let found = loss;
    for (; share > 1e-3; share /= 2) {
      next = weights.map((weight, i) => weight + share * (move[i] as number));
      found = lossOf(next, trials);
      if (found <= loss) break;
    }
    if (!(loss - found > 1e-7 * loss)) break;
    weights = next;
    loss = found;
  }
  return Float32Array.from(weights);
}

const sumOf = (weights: Float64Array, signals: Float32Array): number =>
  signals.reduce((sum, signal, i) => sum + signal * (weights[i] as number), 0);

function lossOf(weights: Float64Array, trials: readonly Trial[]): number {
  let loss = 0;
  for (let i = 0; i < signalCount; i++) {
    loss += 0.5 * (firmness[i] as number) * ((weights[i] as number) - (prior[i] as number)) ** 2;
  }
  for (const { signals, right, weight } of trials) {
    const sum = (right ? -1 : 1) * sumOf(weights, signals);
    loss += weight * (sum > 0 ? sum + Math.log1p(Math.exp(-sum)) : Math.log1p(Math.exp(sum)));
  }
  return loss;
}

function slopeOf(weights: Float64Array, trials: readonly Trial[]) {
  const gradient = new Float64Array(signalCount);
  const curve = Array.from({ length: signalCount }, (_, i) => {
    gradient[i] = (firmness[i] as number) * ((prior[i] as number) - (weights[i] as number));
    return Float64Array.from({ length: signalCount }, (_, j) => (i === j ? (firmness[i] as number) : 0));
  });
  for (const { signals, right, weight } of trials) {
    const p = 1 / (1 + Math.exp(-sumOf(weights, signals)));
    const by = weight * ((right ? 1 : 0) - p);
    const bend = weight * p * (1 - p);
    for (let i = 0; i < signalCount; i++) {
      gradient[i] = (gradient[i] as number) + by * (signals[i] as number);
      const row = curve[i] as Float64Array;
      for (let j = 0; j < signalCount; j++) {
        row[j] = (row[j] as number) + bend * (signals[i] as number) * (signals[j] as number);
      }
    }
  }
  return { gradient, curve };
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
