/**
 * Learns a policy's intents from what the policy says of them. Pure, deterministic: the same intents and word vectors give the
 * same bytes. Takes seconds for hundreds of intents: never in a request of a chat.
 */
import { latePattern } from "../../lib/once.ts";
import type { TrainingIntent } from "../training-set.ts";
import { background } from "./background.ts";
import { calibrate, type Prior, type Trial } from "./calibration.ts";
import { type Classifier, descend, dot, emptyClassifier, type Sample } from "./classifier.ts";
import { createEncoder, vocabularyOf } from "./encoder.ts";
import { guesses, type Prototypes } from "./signals.ts";
import { writeModel } from "./trained-model.ts";
import type { WordVectors } from "./vectors.ts";
import { whiteningOf } from "./whitening.ts";

interface Training {
  readonly intents: number;
  readonly dimensions: number;
  readonly pieces: number;
  readonly epochs: number;
}

/** What is believed before any text is tried. With two intents of one example each, nothing else is known. */
const prior: Prior = { weights: [-3, 0.4, 1.2, 4, 2, 2], precisions: [1, 2, 2, 2, 2, 2] };

export function trainSemantic(intents: readonly TrainingIntent[], vectors: WordVectors): Uint8Array<ArrayBuffer> {
  const texts = trainingTexts(intents);
  const vocabulary = vocabularyOf(
    texts.map(({ text }) => text),
    vectors.languages,
  );
  const encode = createEncoder(vocabulary, vectors);
  const own = texts.map(({ text, label }): Sample => ({ ...encode(text), text, label }));
  const outside = background
    .map((text): Sample => ({ ...encode(text), text, label: intents.length }))
    .filter(({ dense }) => own.every((sample) => dot(sample.dense, dense) < tooNear));
  const samples = [...own, ...outside];
  const { dimensions, fingerprint } = vectors;
  const epochs = epochsFor(samples.length);
  const training = { intents: intents.length, dimensions, pieces: vocabulary.hashes.length, epochs };
  const trials = heldOutTrials(samples, { ...training, epochs: Math.max(3, epochs >> 1) });
  return writeModel({
    names: intents.map(({ name }) => name),
    fingerprint,
    calibration: calibrate(trials, prior),
    vocabulary,
    classifier: fitClassifier(samples, training),
    prototypes: prototypesOf(own, intents.length),
  });
}

/** Above this cosine a background text may be what an intent is about. */
const tooNear = 0.6;

/** Examples first, then keywords, the description and the name, whose words are often the very ones that users say. */
function trainingTexts(intents: readonly TrainingIntent[]): { readonly text: string; readonly label: number }[] {
  return intents.flatMap(({ name, description, keywords, examples }, label) =>
    [...new Set([...examples, ...keywords, description, spelledOut(name)])]
      .filter((text) => /\p{L}/u.test(text))
      .map((text) => ({ text, label })),
  );
}

const hump = latePattern(String.raw`(\p{Ll})(\p{Lu})`, "gu");
const between = latePattern(String.raw`[^\p{L}\p{N}]+`, "gu");

/** `TAKE_NOTE`, `takeNote` → `take note`. */
const spelledOut = (name: string): string =>
  name.replaceAll(hump(), "$1 $2").replaceAll(between(), " ").toLowerCase().trim();

/** Steps of one training, at most (but for three rounds of very many texts) and at least. */
const maxSteps = 24_000;
const minSteps = 7000;

/** Few texts are visited more often, because the background has a hundred beside them; many less often. */
const epochsFor = (texts: number): number =>
  Math.round(Math.max(3, Math.min(15, maxSteps / texts), Math.min(60, minSteps / texts)));

const learningRate = 1;

/** Trained on whitened vectors; its weights are for vectors as they are. */
function fitClassifier(samples: readonly Sample[], { intents, dimensions, pieces, epochs }: Training): Classifier {
  const classes = intents + 1;
  const classifier = emptyClassifier(samples, classes, dimensions, pieces);
  // How texts outside of the policy differ from each other says nothing of how those of an intent do.
  const own = samples.filter(({ label }) => label < intents);
  const whitening = whiteningOf(own, intents, dimensions);
  const whitened = samples.map((sample) => ({ ...sample, dense: whitening.apply(sample.dense) }));
  descend(classifier, whitened, epochs, learningRate);
  for (let at = 0; at < classes * dimensions; at += dimensions) {
    classifier.dense.set(whitening.unapply(classifier.dense.subarray(at, at + dimensions)), at);
  }
  return classifier;
}

/** More texts of an intent would say little more, and make the model large. */
const maxPrototypes = 24;

const prototypesOf = (samples: readonly Sample[], intents: number): Prototypes =>
  Array.from({ length: intents }, (_, intent) =>
    samples
      .filter(({ label }) => label === intent)
      .slice(0, maxPrototypes)
      .map(({ text, dense }) => ({ text, dense })),
  );

const folds = 3;
/** With more texts only one fold is tried: its result is as good, and time is bounded. */
const enoughTexts = 3000;
/** How much a trial with its own intent forbidden counts: a guess at how often users want something else. */
const forbiddenWeight = 0.5;
/** How much all background texts together count, beside the policy's own. */
const backgroundShare = 0.25;

/**
 * Each text is guessed by a model that has not seen it. It is guessed once more with its own intent forbidden: that is what a
 * message about something else looks like.
 */
function heldOutTrials(samples: readonly Sample[], training: Training): Trial[] {
  const { intents } = training;
  if (intents === 0) return [];
  const foldOf = foldsOf(samples);
  const outside = samples.filter(({ label }) => label === intents).length;
  const outsideWeight = Math.min(1, (backgroundShare * (samples.length - outside)) / Math.max(1, outside));
  return Array.from({ length: samples.length > enoughTexts ? 1 : folds }, (_, fold) => fold).flatMap((fold) => {
    const seen = samples.filter((_, i) => foldOf[i] !== fold);
    const heldOut = samples.filter((_, i) => foldOf[i] === fold);
    if (heldOut.length === 0 || seen.length === 0) return [];
    const model = { classifier: fitClassifier(seen, training), prototypes: prototypesOf(seen, intents) };
    return heldOut.flatMap((sample) => {
      const isOwn = sample.label < intents;
      const trials: Trial[] = [];
      const [free] = guesses(model, sample);
      if (free) {
        const weight = isOwn ? 1 : outsideWeight;
        trials.push({ signals: free.signals, right: free.intent === sample.label, weight });
      }
      const [other] = isOwn ? guesses(model, sample, sample.label) : [];
      if (other) trials.push({ signals: other.signals, right: false, weight: forbiddenWeight });
      return trials;
    });
  });
}

/** The texts of a class take turns. A class's only text is never held out, for nothing else tells what the class is. */
function foldsOf(samples: readonly Sample[]): readonly number[] {
  const all = Map.groupBy(samples.keys(), (i) => samples[i]?.label);
  const foldOf: number[] = [];
  for (const members of all.values()) {
    members.forEach((i, turn) => {
      foldOf[i] = members.length === 1 ? -1 : turn % folds;
    });
  }
  return foldOf;
}
