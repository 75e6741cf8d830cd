/** Signals → the probability that a guess is right, by logistic regression. Pure, deterministic. */
import { factorise, solveLower, solveUpper } from "./cholesky.ts";

/** A guess about a text that the model has not seen. */
export interface Trial {
  readonly signals: readonly number[];
  readonly right: boolean;
  readonly weight: number;
}

/** The weights that are expected before any trial, and how many trials it takes to outweigh each. */
export interface Prior {
  readonly weights: readonly number[];
  readonly precisions: readonly number[];
}

export const confidenceOf = (weights: readonly number[], signals: readonly number[]): number =>
  1 / (1 + Math.exp(-sumOf(weights, signals)));

function sumOf(weights: readonly number[], signals: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < signals.length; i++) sum += (signals[i] as number) * (weights[i] as number);
  return sum;
}

/** Newton's method; a step that would raise the loss is halved. */
export function calibrate(trials: readonly Trial[], prior: Prior): readonly number[] {
  let weights = prior.weights;
  let loss = lossOf(weights, trials, prior);
  for (let round = 0; round < 30; round++) {
    const step = newtonStep(weights, trials, prior);
    let share = 1;
    let next = weights;
    let found = loss;
    for (; share > 1e-3; share /= 2) {
      next = weights.map((weight, i) => weight + share * (step[i] as number));
      found = lossOf(next, trials, prior);
      if (found <= loss) break;
    }
    if (!(loss - found > 1e-7 * loss)) break;
    weights = next;
    loss = found;
  }
  return weights;
}

function lossOf(weights: readonly number[], trials: readonly Trial[], prior: Prior): number {
  let loss = 0;
  weights.forEach((weight, i) => {
    loss += 0.5 * (prior.precisions[i] as number) * (weight - (prior.weights[i] as number)) ** 2;
  });
  for (const { signals, right, weight } of trials) {
    const sum = (right ? -1 : 1) * sumOf(weights, signals);
    loss += weight * (Math.max(0, sum) + Math.log1p(Math.exp(-Math.abs(sum))));
  }
  return loss;
}

function newtonStep(weights: readonly number[], trials: readonly Trial[], prior: Prior): Float64Array {
  const n = weights.length;
  const gradient = weights.map(
    (weight, i) => (prior.precisions[i] as number) * ((prior.weights[i] as number) - weight),
  );
  const hessian = Float64Array.from({ length: n * n }, (_, at) =>
    at % (n + 1) === 0 ? (prior.precisions[at / (n + 1)] as number) : 0,
  );
  for (const { signals, right, weight } of trials) {
    const p = confidenceOf(weights, signals);
    signals.forEach((signal, i) => {
      gradient[i] = (gradient[i] as number) + weight * ((right ? 1 : 0) - p) * signal;
      signals.forEach((other, j) => {
        hessian[i * n + j] = (hessian[i * n + j] as number) + weight * p * (1 - p) * signal * other;
      });
    });
  }
  const factor = factorise(hessian, n);
  return solveUpper(factor, solveLower(factor, gradient));
}

/** The share of wrong intents among those selected that is allowed. */
const wrongAtMost = 0.02;
const strictest = 0.98;
const laxest = 0.5;
/** Trials that the confidences themselves count for: with few trials none wrong is chance. */
const believedTrials = 20;

/** The lowest confidence from which on at most `wrongAtMost` of the guesses is wrong: in the trials, and as far as they go. */
export function selectThreshold(trials: readonly Trial[], weights: readonly number[]): number {
  const tried = trials.map(({ signals, right, weight }) => ({
    confidence: confidenceOf(weights, signals),
    right,
    weight,
  }));
  tried.sort((one, other) => other.confidence - one.confidence);
  let threshold = strictest;
  let [count, wrong, feared] = [0, 0, 0];
  tried.forEach(({ confidence, right, weight }, i) => {
    count += weight;
    if (!right) wrong += weight;
    feared += weight * (1 - confidence);
    const share = (wrong + (believedTrials * feared) / count) / (count + believedTrials);
    // Equal confidences are selected together.
    if (share <= wrongAtMost && tried[i + 1]?.confidence !== confidence) threshold = confidence;
  });
  return Math.min(strictest, Math.max(laxest, threshold));
}
