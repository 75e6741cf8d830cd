/** How a message, or a word in it, is judged by the model of wishes. Pure. */

import type { Span } from "../../lib/text/span.ts";
import { quotedMaterialIn } from "../user-message/quoted-material.ts";
import type { LinearModel } from "./linear-model.ts";
import { ownSentences } from "./own-sentences.ts";
import { sentenceFeatures, wishFeatures } from "./wish-features.ts";

/** Probabilities; together they are one. */
export interface Wish {
  /** The user asks for it to be done. */
  readonly request: number;
  /** The user asks about it. */
  readonly question: number;
  /** The user only tells about it, or means something else by the word. */
  readonly statement: number;
  /** It is in quoted words, or in material to be worked on. */
  readonly quotation: number;
  /** The user does not want it, or takes it back. */
  readonly refusal: number;
}

/** In quoted words nothing is a wish. Not quite 0 and 1, so that no reader divides by zero. */
const quoted: Wish = { request: 0.005, question: 0.005, statement: 0.005, quotation: 0.98, refusal: 0.005 };

/** How much of a statement is taken for the ground of a request in another sentence: "The oven is cold. Do something." */
const groundShare = 0.5;

/** Sentences that were judged: the parts of a message have many in common. */
export type JudgedSentences = Map<string, Wish>;

/** @param candidate absent: the message as a whole is judged by its most wishful sentence. */
export function judgeWish(
  model: LinearModel,
  text: string,
  candidate: Span | undefined,
  judged: JudgedSentences = new Map(),
): Wish {
  if (candidate === undefined) return mostWishful(model, ownSentences(text), judged) ?? quoted;
  const near = nearby(text, candidate);
  if (isQuoted(near.text, near.candidate)) return quoted;
  const wish = toWish(model(wishFeatures(near.text, near.candidate)));
  const other = mostWishful(model, otherSentences(near.text, near.candidate), judged);
  const moved = wish.statement * (other?.request ?? 0) * groundShare;
  return { ...wish, request: wish.request + moved, statement: wish.statement - moved };
}

/** UTF-16 units around a candidate in which the marks of a quotation are looked for. */
const reach = 1_000;

function nearby(text: string, { start, end }: Span): { readonly text: string; readonly candidate: Span } {
  const from = Math.max(0, start - reach);
  return { text: text.slice(from, end + reach), candidate: { start: start - from, end: end - from } };
}

/** Quoted words are not for the model to judge. */
export const isQuoted = (text: string, { start, end }: Span): boolean =>
  quotedMaterialIn(text).some((part) => start >= part.start && end <= part.end);

/** Replaces the candidate: a noncharacter, in no message that means anything. */
const mark = "\ufdd0";

const otherSentences = (text: string, { start, end }: Span): readonly string[] =>
  ownSentences(`${text.slice(0, start)}${mark}${text.slice(end)}`).filter((sentence) => !sentence.includes(mark));

function mostWishful(model: LinearModel, sentences: readonly string[], judged: JudgedSentences): Wish | undefined {
  const wishes = sentences.map((sentence) => {
    const wish = judged.get(sentence) ?? toWish(model(sentenceFeatures(sentence)));
    judged.set(sentence, wish);
    return wish;
  });
  return wishes.reduce<Wish | undefined>(
    (most, wish) => (wish.request > (most?.request ?? -1) ? wish : most),
    undefined,
  );
}

function toWish([request = 0, question = 0, statement = 0, quotation = 0, refusal = 0]: Float64Array): Wish {
  return { request, question, statement, quotation, refusal };
}
