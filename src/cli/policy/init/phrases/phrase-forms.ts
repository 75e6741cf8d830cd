/** The forms that each language has for the sentences of `phrases.ts`. */
import type { Act } from "./acts.ts";

export interface Phrases {
  readonly ids: readonly string[];
  readonly dates: readonly string[];
  readonly people: readonly string[];
  /** Sentences between bars, the likeliest first. */
  readonly acts: Readonly<Record<Act, string>>;
}
