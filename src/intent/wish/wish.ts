/**
 * The three small models that judge a user's message, trained on `src/cli/wishes/sentences`. Pure.
 *
 * - `wishOf`: whether the user asks for the thing that a word names, or only mentions it: "the last note of the song" wants no note.
 * - `refusalShare`: whether the user refuses what the assistant asked, offered or is about to do: "no", "I'd like to hang on to it", "the
 *   neighbours are asleep".
 * - `changeShare`: whether the user wants something changed now: not with "let me see it first", "not yet, maybe tomorrow", "is 20 too much?".
 */
import { once } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";
import { changeModel } from "./change-model.ts";
import { continuesFeatures } from "./continues-features.ts";
import type { Features } from "./features.ts";
import { type JudgedSentences, judgeWish, type Wish } from "./judge-wish.ts";
import { linearModel } from "./linear-model.ts";
import { refusalModel } from "./refusal-model.ts";
import { withoutData } from "./wish-features.ts";
import { wishModel } from "./wish-model.ts";

const wishes = once(() => linearModel(wishModel));

/** @param candidate absent: the message as a whole is judged by its most wishful sentence. Never throws. */
export const wishOf = (text: string, candidate?: Span, judged?: JudgedSentences): Wish =>
  judgeWish(wishes(), text, candidate, judged);

const refusals = once(() => linearModel(refusalModel));

/** A probability. Never throws. @param assistant the assistant's message before; without one there is nothing to refuse. */
export function refusalShare(text: string, assistant: string | undefined): number {
  if (assistant === undefined) return 0;
  return refusals()(continuesFeatures(assistant, text, wishOf(text)))[0] ?? 0;
}

const changes = once(() => linearModel(changeModel));

/** A probability. Never throws. */
export const changeShare = (text: string): number => changes()(changeFeatures(text, wishOf))[0] ?? 0;

/** Those of a continuation of nothing, without addresses and ids. */
export function changeFeatures(text: string, judge: (text: string) => Wish): Features {
  const words = withoutData(text);
  return continuesFeatures(undefined, words, judge(words));
}
