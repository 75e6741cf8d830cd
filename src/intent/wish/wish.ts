/**
 * Whether a user asks for what a word in the message names, or only mentions it: "the last note of the song" wants no note. Reads
 * the words around the candidate with a small model, trained on `src/cli/wishes/sentences`. Pure.
 */
import { once } from "../../lib/once.ts";
import { linearModel } from "./linear-model.ts";
import { wishFeatures } from "./wish-features.ts";
import { wishModel } from "./wish-model.ts";

/** Where the candidate stands in the message, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Probabilities; together they are one. */
export interface Wish {
  /** The user asks for it to be done. */
  readonly request: number;
  /** The user asks about it. */
  readonly question: number;
  /** The user tells of it, or means something else by the word. */
  readonly statement: number;
  /** It stands in somebody else's words, or in material to be worked on. */
  readonly quotation: number;
  /** The user does not want it, or takes it back. */
  readonly refusal: number;
}

const model = once(() => linearModel(wishModel));

/** @param candidate absent: the message as a whole is judged. Never throws. */
export function wishOf(text: string, candidate?: Span): Wish {
  const [request = 0, question = 0, statement = 0, quotation = 0, refusal = 0] = model()(wishFeatures(text, candidate));
  return { request, question, statement, quotation, refusal };
}
