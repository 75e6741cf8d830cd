/** Judges the passages of a text: up to three sentences in a row. Pure. */
import { once } from "../../lib/once.ts";
import type { Features } from "../wish/features.ts";
import { type LinearModelData, linearSums } from "../wish/linear-model.ts";
import { instructionModel } from "./instruction-model.ts";
import { mayInstruct, type Sentence, sentenceFeatures, sentencesOf } from "./passage-features.ts";

export const LONGEST_PASSAGE = 3;

/** A passage is scaled to unit length, but a short one to less: a few words are no evidence. */
const LEAST_SQUARES = 40;

/**
 * Log odds. By cross-validation over the texts that the model is trained on, about 1 % of harmless ones are above it. The longer a
 * text, the likelier one of its passages is by chance: each doubling of its sentences asks for more.
 */
const THRESHOLD = 1.1;
const SHORT_SENTENCES = 8;
const EACH_DOUBLING = 0.55;
const MOST_THRESHOLD = 3;

const thresholdFor = (sentences: number): number =>
  Math.min(MOST_THRESHOLD, THRESHOLD + EACH_DOUBLING * Math.max(0, Math.log2(sentences / SHORT_SENTENCES)));

export const passageScale = (squares: number): number => 1 / Math.sqrt(Math.max(LEAST_SQUARES, squares));

export const squaresOf = ({ values }: Features): number => values.reduce((sum, value) => sum + value * value, 0);

interface Rating {
  readonly sum: number;
  readonly squares: number;
}

/** The beginning of a passage, and its log odds over the threshold. */
interface RatedPassage {
  readonly start: number;
  readonly excess: number;
}

/** @returns a function that finds the passage that most orders the model about; undefined if no passage may. */
function passageJudge(model: LinearModelData): (text: string) => RatedPassage | undefined {
  const sumsOf = linearSums(model);
  const [harmless = 0, injected = 0] = model.bias;
  const rate = (sentence: Sentence): Rating => {
    const features = sentenceFeatures(sentence);
    const [no = 0, yes = 0] = sumsOf(features);
    return { sum: yes - no, squares: squaresOf(features) };
  };
  return (text) => {
    const sentences = sentencesOf(text);
    const base = injected - harmless - thresholdFor(sentences.length);
    const judged = sentences.map(mayInstruct);
    const ratings: (Rating | undefined)[] = [];
    let worst: RatedPassage | undefined;
    for (const [first, { start }] of sentences.entries()) {
      const last = Math.min(first + LONGEST_PASSAGE, sentences.length) - 1;
      if (!judged.slice(first, last + 1).includes(true)) continue;
      let [sum, squares, counts] = [0, 0, false];
      for (let at = first; at <= last; at += 1) {
        const rating = ratings[at] ?? rate(sentences[at] as Sentence);
        ratings[at] = rating;
        sum += rating.sum;
        squares += rating.squares;
        counts ||= judged[at] === true;
        const excess = sum * passageScale(squares) + base;
        if (counts && excess > (worst?.excess ?? Number.NEGATIVE_INFINITY)) worst = { start, excess };
      }
    }
    return worst;
  };
}

const judge = once(() => passageJudge(instructionModel));

/** @returns the index of the passage that orders the model about; undefined if there is none. */
export function instructionAt(text: string): number | undefined {
  const worst = judge()(text);
  return worst !== undefined && worst.excess > 0 ? worst.start : undefined;
}
