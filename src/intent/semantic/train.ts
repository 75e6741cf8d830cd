/**
 * Learns a policy's intents from its own texts. Pure, deterministic: the same intents and word vectors give the
 * same bytes. Takes seconds for hundreds of intents: never in a request of a chat.
 */
import { type CooperativeTask, runBlocking } from "../../lib/concurrency.ts";
import { lazyRegExp } from "../../lib/once.ts";
import type { TrainingIntent } from "../training-set.ts";
import { background, NO_TALK, type Talk } from "./background.ts";
import { calibrate, type Prior, selectThreshold, type Trial } from "./calibration.ts";
import { dotRow } from "./classifier.ts";
import type { TextFeatures } from "./encoder.ts";
import { groupsOf } from "./groups.ts";
import { type LabelledText, learn, rememberingReader, type TextReader, textsOfSlice } from "./learn.ts";
import { candidateSignals, type Guess, guesses, wishSignals } from "./signals.ts";
import { writeModel } from "./trained-model.ts";
import type { WordVectors } from "./vectors.ts";

/**
 * The weights before any text is tried. They were fitted on everyday sentences over the shipped policies, and on sentences that are
 * about none of them. If a policy has few intents, the trials show little of the latter: signals for the policy's business keep
 * their weight, and only those that distinguish its intents are learnt. With many intents most wrong guesses are another intent, and the trials know
 * better. The weight of the seen pieces is never learnt, for held-out texts are all about the policy; nor are those of the wish and of
 * the words that name an intent, for a policy's own examples are all requests. The more intents there are, the less it counts that a message
 * sounds like a request, or that the policy has its pieces: neither shows which intent is meant.
 */
function priorOf(intents: number): Prior {
  const firmness = firmnessOf(intents);
  const [score, likeness] = [2 + 3000 * firmness ** 2, 2 + 1000 * firmness ** 2];
  return {
    weights: [-6, 0.45, 0.1, 0.65, 1.2, 4.2, 5 * firmness, 0.3 + 0.3 * firmness, -0.6, 0.8, 4, -1.5, 1.3],
    precisions: [1, 2, 2, score, likeness, likeness, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6],
  };
}

const fewIntents = 12;

/** How firmly the prior is held: 1 with few intents, near 0 with many. */
const firmnessOf = (intents: number): number => Math.min(1, fewIntents / intents) ** 2;

/** At once. @returns the model's bytes, as `readSemantic` reads them. */
export function trainSemantic(
  intents: readonly TrainingIntent[],
  vectors: WordVectors,
  talk: Talk = NO_TALK,
): Uint8Array<ArrayBuffer> {
  return runBlocking(trainInPieces(intents, vectors, talk));
}

/** Yields every few milliseconds, so that the thread can serve requests in between. */
export function* trainInPieces(
  intents: readonly TrainingIntent[],
  vectors: WordVectors,
  talk: Talk,
): CooperativeTask<Uint8Array<ArrayBuffer>> {
  const reader = rememberingReader(trainingTexts(intents), vectors);
  const texts = yield* labelledTexts(intents, reader, talk);
  const epochs = epochsFor(texts.length, intents.length);
  const model = yield* learn(texts, intents.length, vectors, epochs, reader);
  // The trials hold as much again.
  reader.forget();
  const trials = yield* heldOutTrials(texts, intents.length, vectors);
  const calibration = calibrate(withLightTalk(trials, texts, intents.length), priorOf(intents.length));
  return writeModel({
    names: intents.map(({ name }) => name),
    fingerprint: vectors.fingerprint,
    calibration,
    selectAt: selectThreshold(trials, calibration),
    vocabulary: model.vocabulary,
    classifier: model.classifier,
    prototypes: model.prototypes,
  });
}

/**
 * How well the intents can be distinguished: of each intent's texts the share that a model finds which has not seen them. Takes two
 * thirds of a training.
 */
export function heldOutShares(
  intents: readonly TrainingIntent[],
  vectors: WordVectors,
  talk: Talk,
): ReadonlyMap<string, number> {
  const texts = runBlocking(labelledTexts(intents, rememberingReader(trainingTexts(intents), vectors), talk));
  const trials = runBlocking(heldOutTrials(texts, intents.length, vectors)).filter(({ isFree }) => isFree);
  const share = (all: readonly HeldOutTrial[]) => all.filter(({ right }) => right).length / Math.max(1, all.length);
  return new Map(intents.map(({ name }, label) => [name, share(trials.filter((trial) => trial.label === label))]));
}

/** The policy's own texts, and users' talk about none of its intents. */
function* labelledTexts(
  intents: readonly TrainingIntent[],
  { encode }: TextReader,
  { statements, requests }: Talk,
): CooperativeTask<readonly LabelledText[]> {
  const own = trainingTexts(intents);
  const room = maxSteps(intents.length) / enoughEpochs(intents.length) - own.length - background.length;
  const [requested, stated] = [requests, statements].map((all) => everyNth(all, all.length / Math.max(1, room / 2)));
  const others = [...(yield* withoutNear(own, [...background, ...(requested ?? [])], encode)), ...(stated ?? [])];
  const groups = yield* groupsOf(others, encode, groupCount(intents.length));
  return [...own, ...others.map((text, i) => ({ text, label: intents.length + (groups[i] as number) }))];
}

/** Texts outside of all intents are recognised better in groups of their own; with many intents the groups cost more than they are worth. */
const groupCount = (intents: number): number => Math.max(1, Math.min(16, Math.round(320 / intents)));

/** Above this cosine a background text may be about an intent. */
const tooNear = 0.85;

/** Examples first, then keywords, the description and the name, whose words are often the very ones that users say. */
function trainingTexts(intents: readonly TrainingIntent[]): LabelledText[] {
  return intents.flatMap(({ name, description, keywords, examples }, label) =>
    [...new Set([...examples, ...keywords, description, spelledOut(name)])]
      .filter((text) => /\p{L}/u.test(text))
      .map((text) => ({ text, label })),
  );
}

/** Comparisons of one training: some seconds' work. */
const mostCompared = 4_000_000;

/** The texts that are near none of the policy's; only some of them if the policy has very many. */
function* withoutNear(
  own: readonly LabelledText[],
  texts: readonly string[],
  encode: (text: string) => TextFeatures,
): CooperativeTask<readonly string[]> {
  const meanings = own.map(({ text }) => encode(text).dense);
  const dimensions = meanings[0]?.length ?? 0;
  // Side by side in memory they are compared in half the time.
  const rows = new Float32Array(meanings.length * dimensions);
  meanings.forEach((meaning, i) => {
    rows.set(meaning, i * dimensions);
  });
  const isNear = (meaning: Float32Array): boolean => {
    for (let at = 0; at < rows.length; at += dimensions) if (dotRow(rows, at, meaning) >= tooNear) return true;
    return false;
  };
  const far: string[] = [];
  for (const [i, text] of everyNth(texts, (texts.length * meanings.length) / mostCompared).entries()) {
    if (!isNear(encode(text).dense)) far.push(text);
    if (i % textsOfSlice === 0) yield;
  }
  return far;
}

const hump = lazyRegExp(String.raw`(\p{Ll})(\p{Lu})`, "gu");
const between = lazyRegExp(String.raw`[^\p{L}\p{N}]+`, "gu");

/** `TAKE_NOTE`, `takeNote` → `take note`. */
const spelledOut = (name: string): string =>
  name.replaceAll(hump(), "$1 $2").replaceAll(between(), " ").toLowerCase().trim();

/** Steps of one training, at most (but for three rounds of very many texts) and at least. A step with few classes is cheap. */
const maxSteps = (classes: number): number => Math.max(24_000, Math.min(80_000, 3_600_000 / classes));
const minSteps = 7000;
/** There is as much talk as leaves so many rounds: few intents are distinguished in fewer, and more talk separates them from other messages. */
const enoughEpochs = (intents: number): number => (intents <= fewIntents ? 5 : 8);

/** About one of `n`, evenly spread; all if `n` is at most 1. */
const everyNth = <T>(all: readonly T[], n: number): readonly T[] =>
  n <= 1 ? all : all.filter((_, i) => Math.floor((i + 1) / n) > Math.floor(i / n));

/** Few texts are visited more often, because the background has a hundred beside them; many less often. */
const epochsFor = (texts: number, classes: number): number =>
  Math.round(Math.max(3, Math.min(15, maxSteps(classes) / texts), Math.min(60, minSteps / texts)));

const folds = 3;
/** With more texts only one fold is tried, and of that only so many texts: its result is as good, and time is bounded. */
const enoughTexts = 3000;
const enoughTried = 1500;
/** How much a trial with its own intent forbidden counts: a guess at how often users want something else. */
const forbiddenWeight = 0.2;
/** The weight of all background texts together against the policy's own: most of what users say to an assistant needs no tool. */
const backgroundShare = 3;

/** The same where the weights of signals are learnt, if intents are very many. */
const lightShare = 1;

interface HeldOutTrial extends Trial {
  readonly label: number;
  /** Whether any intent could be guessed, the text's own too. */
  readonly isFree: boolean;
}

/**
 * Each text is guessed by a model that has not seen it, nor counted its words. It is guessed once more with its own intent
 * forbidden: a message about something else looks like that.
 */
function* heldOutTrials(
  texts: readonly LabelledText[],
  intents: number,
  vectors: WordVectors,
): CooperativeTask<readonly HeldOutTrial[]> {
  if (intents === 0) return [];
  const epochs = Math.max(3, epochsFor(texts.length, intents) >> 1);
  const foldOf = foldsOf(texts, intents);
  const outsideWeight = talkWeight(texts, intents, backgroundShare);
  const trials: HeldOutTrial[] = [];
  for (let fold = 0; fold < (texts.length > enoughTexts ? 1 : folds); fold++) {
    const seen = texts.filter((_, i) => foldOf[i] !== fold);
    const held = texts.filter((_, i) => foldOf[i] === fold);
    const heldOut = held.filter((_, i) => i % Math.ceil(held.length / enoughTried) === 0);
    if (heldOut.length === 0 || seen.length === 0) continue;
    const model = yield* learn(seen, intents, vectors, epochs);
    for (const [i, { text, label }] of heldOut.entries()) {
      if (i % textsOfSlice === 0) yield;
      const encoded = model.encode(text);
      const words = [...wishSignals(text), ...candidateSignals(undefined)];
      const isOwn = label < intents;
      const [free] = guesses(model, encoded);
      const weight = isOwn ? 1 : outsideWeight;
      if (free) trials.push({ ...trialOf(free, words, free.intent === label, weight), label, isFree: true });
      const [other] = isOwn ? guesses(model, encoded, label) : [];
      if (other) trials.push({ ...trialOf(other, words, false, forbiddenWeight), label, isFree: false });
    }
  }
  return trials;
}

/** Of each background text, if all of them together may weigh that much against the policy's own. */
function talkWeight(texts: readonly LabelledText[], intents: number, share: number): number {
  const talk = texts.filter(({ label }) => label >= intents).length;
  return Math.min(1, (share * (texts.length - talk)) / Math.max(1, talk));
}

/**
 * With many intents the talk counts less where the weights are learnt. It is easily told from all of them, so it would teach little but
 * that, and the margin between two intents, on which most mistakes depend, would count too little. The threshold counts it in full.
 */
function withLightTalk(
  trials: readonly HeldOutTrial[],
  texts: readonly LabelledText[],
  intents: number,
): readonly Trial[] {
  const share = lightShare + (backgroundShare - lightShare) * firmnessOf(intents);
  const weight = talkWeight(texts, intents, share);
  return trials.map((trial) => (trial.label >= intents ? { ...trial, weight } : trial));
}

const trialOf = ({ signals }: Guess, words: readonly number[], right: boolean, weight: number): Trial => ({
  signals: [...signals, ...words],
  right,
  weight,
});

/** Neighbours in the lists of background texts are about one thing: they are held out together, for users say what no list has. */
const block = 40;

/** The texts of a class take turns. A class's only text is never held out, for nothing else shows what the class is. */
function foldsOf(texts: readonly LabelledText[], intents: number): readonly number[] {
  const own = [...texts.keys()].filter((i) => (texts[i]?.label ?? 0) < intents);
  const all = Map.groupBy(own, (i) => texts[i]?.label);
  const foldOf: number[] = [];
  for (let i = own.length; i < texts.length; i++) foldOf[i] = Math.floor((i - own.length) / block) % folds;
  for (const members of all.values()) {
    members.forEach((i, turn) => {
      foldOf[i] = members.length === 1 ? -1 : turn % folds;
    });
  }
  return foldOf;
}
