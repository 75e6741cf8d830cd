/** Fits a classifier to labelled texts, with the vocabulary that they are read by. Pure and deterministic. */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import { type Classifier, descend, emptyClassifier, type Sample } from "./classifier.ts";
import { createEncoder, type TextFeatures, vocabularyOf } from "./encoder.ts";
import type { Vocabulary } from "./piece.ts";
import type { Intents, Prototypes } from "./signals.ts";
import type { WordVectors } from "./vectors.ts";
import { whiteningOf } from "./whitening.ts";

export interface LabelledText {
  readonly text: string;
  /** The place of the intent; behind the last one: a group of texts that are none of these. */
  readonly label: number;
}

/** Reading a text takes some 50 µs. */
export const textsOfSlice = 200;

const learningRate = 1;

export interface TextReader {
  readonly vocabulary: Vocabulary;
  readonly encode: (text: string) => TextFeatures;
}

interface LearntClassifier extends TextReader, Intents {}

/** @param reader of the intents' own texts, if the caller has one. */
export function* learn(
  texts: readonly LabelledText[],
  intents: number,
  vectors: WordVectors,
  epochs: number,
  reader?: TextReader,
): CooperativeTask<LearntClassifier> {
  const own = texts.filter(({ label }) => label < intents);
  const { vocabulary, encode } = reader ?? readerOf(own, vectors);
  const samples: Sample[] = [];
  for (const { text, label } of texts) {
    samples.push({ ...encode(text), text, label });
    if (samples.length % textsOfSlice === 0) yield;
  }
  const classes = texts.reduce((most, { label }) => Math.max(most, label + 1), intents + 1);
  const classifier = emptyClassifier(samples, classes, vectors.dimensions, vocabulary.hashes.length);
  yield* fitClassifier(classifier, samples, intents, epochs);
  return { vocabulary, encode, classifier, prototypes: prototypesOf(samples, intents) };
}

/** Trained on whitened vectors; its weights are for vectors as they are. */
function* fitClassifier(
  classifier: Classifier,
  samples: readonly Sample[],
  intents: number,
  epochs: number,
): CooperativeTask<void> {
  const { classes, dimensions } = classifier;
  // How texts outside of the policy differ from each other says nothing of how those of an intent do.
  const own = samples.filter(({ label }) => label < intents);
  const whitening = whiteningOf(own, intents, dimensions);
  const whitened = samples.map((sample) => ({ ...sample, dense: whitening.apply(sample.dense) }));
  yield* descend(classifier, whitened, epochs, learningRate);
  for (let at = 0; at < classes * dimensions; at += dimensions) {
    classifier.dense.set(whitening.unapply(classifier.dense.subarray(at, at + dimensions)), at);
  }
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

/** Reads a text once, however often it is needed: reading takes more of a training than fitting does. */
export function rememberingReader(
  own: readonly LabelledText[],
  vectors: WordVectors,
): TextReader & { readonly forget: () => void } {
  const { vocabulary, encode } = readerOf(own, vectors);
  const read = new Map<string, TextFeatures>();
  return {
    vocabulary,
    encode(text) {
      const known = read.get(text);
      if (known) return known;
      const encoded = encode(text);
      read.set(text, encoded);
      return encoded;
    },
    forget: () => read.clear(),
  };
}

export function readerOf(own: readonly LabelledText[], vectors: WordVectors): TextReader {
  const vocabulary = vocabularyOf(
    own.map(({ text }) => text),
    vectors.languages,
  );
  return { vocabulary, encode: createEncoder(vocabulary, vectors) };
}
