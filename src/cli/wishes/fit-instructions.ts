/**
 * Fits the model that finds instructions. A text is labelled as a whole, but usually only one passage of it gives orders: each further
 * round learns from the passages that the previous model rates highest. Pure.
 */

import { withoutQuotations } from "../../intent/instructions/find-instructions.ts";
import { LONGEST_PASSAGE, passageScale, squaresOf } from "../../intent/instructions/judge-passages.ts";
import { sentenceFeatures, sentencesOf } from "../../intent/instructions/passage-features.ts";
import type { Features } from "../../intent/wish/features.ts";
import { type Example, type Fitted, fitLinear, fitSmall } from "./fit-linear.ts";

export interface LabelledText {
  readonly injected: boolean;
  readonly text: string;
  readonly weight: number;
  /** Number of passages of a harmless text that count in a round. */
  readonly passages: number;
}

interface Passages extends LabelledText {
  readonly all: readonly Features[];
  readonly beginning: Features;
}

const ROUNDS = 2;
const options = { labels: 2, epochs: 10, rate: 0.3, decay: 0.0002, least: 2, size: 9_000 };

export function fitInstructions(texts: readonly LabelledText[]): Fitted {
  const read = texts.flatMap(passagesOf);
  let fitted = fitLinear(
    read.flatMap((one) => firstExamples(one)),
    options,
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    const examples = read.flatMap((one) => examplesOf(one, fitted));
    fitted = round === ROUNDS ? fitSmall(examples, options) : fitLinear(examples, options);
  }
  return fitted;
}

function passagesOf(text: LabelledText): readonly Passages[] {
  const parts = sentencesOf(withoutQuotations(text.text)).map(sentenceFeatures);
  const from = (first: number) =>
    parts.slice(first, first + LONGEST_PASSAGE).map((_, length) => scaled(parts.slice(first, first + length + 1)));
  const all = parts.flatMap((_, first) => from(first));
  const beginning = from(0).at(-1);
  return beginning === undefined ? [] : [{ ...text, all, beginning }];
}

function scaled(parts: readonly Features[]): Features {
  const scale = passageScale(parts.reduce((sum, part) => sum + squaresOf(part), 0));
  return {
    keys: parts.flatMap(({ keys }) => keys),
    values: parts.flatMap(({ values }) => values.map((value) => value * scale)),
  };
}

function firstExamples({ injected, weight, all, beginning }: Passages): readonly Example[] {
  return injected ? [{ features: beginning, label: 1, weight }] : harmless(all.slice(0, LONGEST_PASSAGE), weight);
}

function examplesOf({ injected, weight, passages, all, beginning }: Passages, fitted: Fitted): readonly Example[] {
  const scores = new Map(all.map((features) => [features, scoreOf(features, fitted)]));
  const worst = [...all].sort((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
  if (!injected) return harmless(worst.slice(0, passages), weight);
  return [
    { features: beginning, label: 1, weight: weight / 2 },
    { features: worst[0] ?? beginning, label: 1, weight },
  ];
}

const harmless = (all: readonly Features[], weight: number): readonly Example[] =>
  all.map((features) => ({ features, label: 0, weight: weight / Math.sqrt(all.length) }));

function scoreOf({ keys, values }: Features, { weights }: Fitted): number {
  return keys.reduce((sum, key, i) => {
    const [no = 0, yes = 0] = weights.get(key) ?? [];
    return sum + (yes - no) * (values[i] ?? 0);
  }, 0);
}
