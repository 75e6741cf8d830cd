/** Asks a policy's texts of models that have not seen them. Pure, deterministic. */
import type { Trial } from "./calibrate.ts";
import { fitHead, type Training } from "./fit-head.ts";
import { type LinearHead, score, sharedWith } from "./linear-head.ts";
import { nearestPrototype, type Prototypes, prototypesOf } from "./prototypes.ts";
import type { TrainingSample } from "./samples.ts";
import { fieldOf, signalsOf } from "./signals.ts";

const folds = 3;
/** Of more texts than this, only one fold is asked: it says as much, and time is bounded. */
const enough = 3000;
/** How much a trial with its own intent forbidden counts beside the one without: a guess at how often users want something else. */
const forbiddenWeight = 0.5;
/** How much all background texts together count, beside the policy's own. */
const backgroundShare = 0.25;

export function heldOutTrials(samples: readonly TrainingSample[], training: Training): Trial[] {
  const { intents } = training;
  if (intents === 0) return [];
  const place = placesOf(samples);
  const outside = samples.filter(({ label }) => label >= intents).length;
  const outsideWeight = Math.min(1, (backgroundShare * (samples.length - outside)) / Math.max(1, outside));
  const trials: Trial[] = [];
  const asked = samples.length > enough ? 1 : folds;
  for (let fold = 0; fold < asked; fold++) {
    const shown = samples.filter((_, i) => (place[i] as number) % folds !== fold);
    const hidden = samples.filter((_, i) => (place[i] as number) % folds === fold);
    if (hidden.length === 0 || shown.length === 0) continue;
    const head = fitHead(shown, training);
    const near = prototypesOf(shown, intents);
    for (const sample of hidden) trials.push(...ask(head, near, sample, intents, outsideWeight));
  }
  return trials;
}

/** The how-manieth of its class each sample is; a class's only sample is never hidden, for nothing would be left to know it by. */
function placesOf(samples: readonly TrainingSample[]): Int32Array {
  const counts = new Map<number, number>();
  for (const { label } of samples) counts.set(label, (counts.get(label) ?? 0) + 1);
  const next = new Map<number, number>();
  return Int32Array.from(samples, ({ label }) => {
    if (counts.get(label) === 1) return -folds - 1;
    const place = next.get(label) ?? 0;
    next.set(label, place + 1);
    return place;
  });
}

function* ask(
  head: LinearHead,
  near: Prototypes,
  sample: TrainingSample,
  intents: number,
  outsideWeight: number,
): Generator<Trial> {
  const scores = new Float32Array(head.classes);
  score(head, sample, sample.pieces.length, scores);
  const guess = guessOf(scores, intents);
  const weight = sample.label < intents ? 1 : outsideWeight;
  yield { signals: heard(head, near, sample, scores, guess, -1), right: guess === sample.label, weight };
  if (intents < 2 || sample.label >= intents) return;
  const other = guessOf(scores, intents, sample.label);
  yield { signals: heard(head, near, sample, scores, other, sample.label), right: false, weight: forbiddenWeight };
}

function heard(
  head: LinearHead,
  near: Prototypes,
  sample: TrainingSample,
  scores: Float32Array,
  guess: number,
  forbidden: number,
): Float32Array {
  const [, nearest] = nearestPrototype(near, guess, sample.dense);
  const shared = sharedWith(head, sample, sample.pieces.length, guess);
  const field = fieldOf(scores, forbidden);
  return signalsOf(scores[guess] as number, field, { nearest, shared, seen: sample.seen, known: sample.known });
}

/** The intent of the highest score, the forbidden one passed over. */
export function guessOf(scores: Float32Array, intents: number, forbidden = -1): number {
  let top = forbidden === 0 ? 1 : 0;
  for (let c = 1; c < intents; c++) {
    if (c !== forbidden && (scores[c] as number) > (scores[top] as number)) top = c;
  }
  return top;
}
