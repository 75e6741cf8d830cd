/** Judges the passages of a text: up to three sentences that stand together. Pure. */
import { once } from "../../lib/once.ts";
import type { Features } from "../wish/features.ts";
import { type LinearModelData, linearSums } from "../wish/linear-model.ts";
import { instructionModel } from "./instruction-model.ts";
import { mayInstruct, type Sentence, sentenceFeatures, sentencesOf } from "./passage-features.ts";

export const LONGEST_PASSAGE = 3;

/** A passage is scaled to unit length, but a short one to less: a few words are no evidence. */
const LEAST_SQUARES = 40;

/**
 * Log odds. By cross-validation over the texts that the model is trained on, 1 % of harmless ones are above it, and of real tools'
 * results fewer.
 */
export const THRESHOLD = 1.6;

export const passageScale = (squares: number): number => 1 / Math.sqrt(Math.max(LEAST_SQUARES, squares));

export const squaresOf = ({ values }: Features): number => values.reduce((sum, value) => sum + value * value, 0);

interface Rating {
  readonly sum: number;
  readonly squares: number;
}

/** The passage of a text that most orders the model about: where it begins, and its log odds. */
export interface WorstPassage {
  readonly start: number;
  readonly odds: number;
}

/** @returns a function that finds a text's worst passage; undefined where none speaks to anybody. */
export function passageJudge(model: LinearModelData): (text: string) => WorstPassage | undefined {
  const sumsOf = linearSums(model);
  const [harmless = 0, injected = 0] = model.bias;
  const rate = (sentence: Sentence): Rating => {
    const features = sentenceFeatures(sentence);
    const [no = 0, yes = 0] = sumsOf(features);
    return { sum: yes - no, squares: squaresOf(features) };
  };
  return (text) => {
    const sentences = sentencesOf(text);
    const ratings: (Rating | undefined)[] = [];
    let worst: WorstPassage | undefined;
    for (let first = 0; first < sentences.length; first += 1) {
      const passage = sentences.slice(first, first + LONGEST_PASSAGE);
      if (!mayInstruct(passage.reduce((mask, one) => mask | one.signals, 0))) continue;
      let [signals, sum, squares] = [0, 0, 0];
      passage.forEach((sentence, i) => {
        ratings[first + i] ??= rate(sentence);
        const rating = ratings[first + i] as Rating;
        signals |= sentence.signals;
        sum += rating.sum;
        squares += rating.squares;
        const odds = sum * passageScale(squares) + injected - harmless;
        if (mayInstruct(signals) && odds > (worst?.odds ?? Number.NEGATIVE_INFINITY)) worst = { start: sentence.start, odds };
      });
    }
    return worst;
  };
}

const judge = once(() => passageJudge(instructionModel));

/** @returns where the text orders the model about; undefined where it does not. */
export function instructionAt(text: string): number | undefined {
  const worst = judge()(text);
  return worst !== undefined && worst.odds > THRESHOLD ? worst.start : undefined;
}
