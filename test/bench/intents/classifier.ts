/** What is measured: a guess and how sure it is. */
import type { Labelled } from "./data-sets.ts";

export interface Guess {
  readonly intent: string;
  /** Higher is surer; compared with other guesses of the same classifier only. */
  readonly sure: number;
}

interface Trained {
  /** Undefined: none of these. */
  readonly guess: (text: string) => Guess | undefined;
  /** The classifier's own threshold, where `sure` is a probability. */
  readonly selectAt?: number;
  /** Of the compiled policy, where there is such a thing. */
  readonly bytes?: number;
}

export interface Contender {
  readonly name: string;
  readonly train: (examples: Labelled) => Trained;
}

/** In the order in which the examples name them first. */
export const intentsOf = (examples: Labelled): string[] => [...new Set(examples.map(([, intent]) => intent))];
