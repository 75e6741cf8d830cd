/**
 * Whether a user asks for what a word in the message names, or only mentions it: "the last note of the song" wants no note. Reads
 * the words around the candidate with a small model, trained on `src/cli/wishes/sentences`. Pure.
 */
import { once } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";
import { type JudgedSentences, judgeWish, type Wish } from "./judge-wish.ts";
import { linearModel } from "./linear-model.ts";
import { wishModel } from "./wish-model.ts";

const model = once(() => linearModel(wishModel));

/** @param candidate absent: the message as a whole is judged by its most wishful sentence. Never throws. */
export const wishOf = (text: string, candidate?: Span, judged?: JudgedSentences): Wish =>
  judgeWish(model(), text, candidate, judged);
