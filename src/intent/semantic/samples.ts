/** Texts → what the trainer reads of them. Pure. */
import type { Encoded } from "./encoder.ts";
import type { Sample } from "./linear-head.ts";
import type { TrainingText } from "./training-texts.ts";

export interface TrainingSample extends Sample {
  readonly text: string;
  /** Share of the words that have a vector. */
  readonly known: number;
  readonly seen: number;
}

export function toSamples(texts: readonly TrainingText[], encode: (text: string) => Encoded): TrainingSample[] {
  return texts.map(({ text, label }) => {
    const { dense, pieces, values, count, known, seen } = encode(text);
    return {
      text,
      label,
      known,
      seen,
      dense: dense.slice(),
      pieces: pieces.slice(0, count),
      values: values.slice(0, count),
    };
  });
}
