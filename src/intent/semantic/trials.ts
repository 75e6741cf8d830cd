/** Asks a policy's texts of models that have not seen them. Pure, deterministic. */
import type { Trial } from "./calibrate.ts";
import { emptyHead, type LinearHead, score, trainHead } from "./linear-head.ts";
import { nearestPrototype, type Prototypes, prototypesOf } from "./prototypes.ts";
import type { TrainingSample } from "./samples.ts";
import { signalsOf } from "./signals.ts";

const folds = 3;
/** Together as heavy as the texts themselves times this. */
const forbiddenWeight = 0.5;

export function heldOutTrials(
  samples: readonly TrainingSample[],
  classes: number,
  pieces: number,
  epochs: number,
  rate: number,
): Trial[] {
  const place = placesOf(samples);
  const trials: Trial[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const shown = samples.filter((_, i) => (place[i] as number) % folds !== fold);
    const hidden = samples.filter((_, i) => (place[i] as number) % folds === fold);
    if (hidden.length === 0 || shown.length === 0) continue;
    const head = emptyHead(shown, classes, (samples[0] as TrainingSample).dense.length, pieces);
    trainHead(head, shown, epochs, rate);
    const near = prototypesOf(
      shown.map(({ dense }) => dense),
      shown.map(({ label }) => label),
      classes,
    );
    for (const sample of hidden) trials.push(...ask(head, near, sample));
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

function* ask(head: LinearHead, near: Prototypes, sample: TrainingSample): Generator<Trial> {
  const scores = new Float32Array(head.classes);
  score(head, sample, sample.pieces.length, scores);
  const trial = (right: (guess: number) => boolean, weight: number): Trial => {
    const guess = topOf(scores);
    const [, nearest] = nearestPrototype(near, guess, sample.dense);
    return { signals: signalsOf(scores, guess, nearest, sample), right: right(guess), weight };
  };
  yield trial((guess) => guess === sample.label, 1);
  if (head.classes < 3) return;
  scores[sample.label] = -30;
  yield trial(() => false, forbiddenWeight);
}

export function topOf(scores: Float32Array): number {
  let top = 0;
  for (let c = 1; c < scores.length; c++) if ((scores[c] as number) > (scores[top] as number)) top = c;
  return top;
}
