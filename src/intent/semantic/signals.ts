/** The evidence for a guess being right, as numbers that mean the same for every policy. Pure. */

import type { JudgedSentences } from "../wish/judge-wish.ts";
import { wishOf } from "../wish/wish.ts";
import { type Classifier, dot, type Scores, scoresOf } from "./classifier.ts";
import type { TextFeatures } from "./encoder.ts";

/** Some texts of each intent, to find the one that is nearest to a message. */
export type Prototypes = readonly (readonly Prototype[])[];

interface Prototype {
  readonly text: string;
  readonly dense: Float32Array;
}

/** The inputs of guesses. */
export interface Intents {
  readonly classifier: Classifier;
  readonly prototypes: Prototypes;
}

export interface Guess {
  readonly intent: number;
  readonly signals: readonly number[];
  /** The nearest text of the intent; empty if it has none. */
  readonly nearest: string;
}

/** 1, lead over all others, margin to the next intent, score, similarity, shared pieces, seen pieces; then those of `wishSignals` and `candidateSignals`. */
export const signalCount = 13;

/** How keywords and patterns find an intent in a message. */
export interface Candidate {
  /** `discounted`: it is negated, or a part of something more specific. */
  readonly by: "keyword" | "pattern" | "discounted";
  /** The message is little else: "view my stats". */
  readonly isWhole: boolean;
}

/** Whether the text is a request, as log odds; how much rather a refusal. */
export function wishSignals(text: string, judged?: JudgedSentences): readonly number[] {
  const { request, refusal } = wishOf(text, undefined, judged);
  const wished = clipped(Math.log((request + leastShare) / (1 - request + leastShare)), maxWish);
  const refused = Math.max(0, Math.log((refusal + leastShare) / (request + leastShare)) + 1);
  return [wished, Math.min(refused, maxWish)];
}

/** Whether a keyword names the intent, a pattern, or words that do not count; and whether these are the whole message. */
export const candidateSignals = (candidate: Candidate | undefined): readonly number[] => [
  ...(["keyword", "pattern", "discounted"] as const).map((kind) => (candidate?.by === kind ? 1 : 0)),
  candidate?.isWhole === true ? 1 : 0,
];

const leastShare = 0.003;
const maxWish = 2;
const maxLead = 8;
const maxScore = 12;

/**
 * The intents that a text may mean, best first. The class behind the last intent is *none of these*.
 * @param forbidden an intent that is taken not to exist.
 */
export function* guesses(
  { classifier, prototypes }: Intents,
  text: TextFeatures,
  forbidden?: number,
): Generator<Guess> {
  const { scores, shares } = scoresOf(classifier, text);
  if (forbidden !== undefined) scores[forbidden] = Number.NEGATIVE_INFINITY;
  const top = scores[indexOfMax(scores)] as number;
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += Math.exp((scores[i] as number) - top);
  const left = scores.subarray(0, prototypes.length);
  const first = firstGuesses({ scores: left, shares });
  /** The best score of another intent than the one that is guessed. */
  let rival: number | undefined;
  for (let turn = 0; ; turn++) {
    const intent = first[turn] ?? indexOfMax(left);
    const score = left[intent] ?? Number.NEGATIVE_INFINITY;
    if (score === Number.NEGATIVE_INFINITY) return;
    left[intent] = Number.NEGATIVE_INFINITY;
    const margin = score - (rival ?? left[indexOfMax(left)] ?? Number.NEGATIVE_INFINITY);
    rival ??= score;
    const others = sum - Math.exp(score - top);
    const lead = others > 1e-6 ? score - top - Math.log(others) : maxLead;
    const { text: nearest, cosine } = nearestOf(prototypes[intent] ?? [], text.dense);
    const shared = shares[intent] as number;
    // Words without vectors (of another language, or names) have no meaning to compare: their pieces count instead.
    const similarity = text.known * cosine + (1 - text.known) * shared;
    const leads = clipped(lead, maxLead);
    const margins = clipped(margin, maxLead);
    const signals = [1, leads, margins, clipped(score, maxScore), similarity, shared, text.seen];
    yield { intent, signals, nearest };
  }
}

/** For this many intents with the highest scores the shared pieces decide too. */
const compared = 4;
const sharedWeight = 1.5;

function firstGuesses({ scores, shares }: Scores): readonly number[] {
  const rest = scores.slice();
  const found: { readonly intent: number; readonly rank: number }[] = [];
  while (found.length < compared) {
    const intent = indexOfMax(rest);
    const score = rest[intent] ?? Number.NEGATIVE_INFINITY;
    if (score === Number.NEGATIVE_INFINITY) break;
    rest[intent] = Number.NEGATIVE_INFINITY;
    found.push({ intent, rank: score + sharedWeight * (shares[intent] as number) });
  }
  return found.sort((one, other) => other.rank - one.rank).map(({ intent }) => intent);
}

/** The first of the highest. */
function indexOfMax(values: Float32Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
}

const clipped = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

function nearestOf(
  prototypes: readonly Prototype[],
  dense: Float32Array,
): { readonly text: string; readonly cosine: number } {
  let nearest = prototypes[0];
  let most = nearest === undefined ? 0 : dot(nearest.dense, dense);
  for (let i = 1; i < prototypes.length; i++) {
    const cosine = dot((prototypes[i] as Prototype).dense, dense);
    if (cosine <= most) continue;
    nearest = prototypes[i];
    most = cosine;
  }
  return { text: nearest?.text ?? "", cosine: most };
}
