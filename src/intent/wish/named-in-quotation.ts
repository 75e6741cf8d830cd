/**
 * Whether an intent is named in quoted words that no mark shows: "[Tobi] rewrite the parser ⏎ [Jana] do it yourself ⏎ they
 * have been at this all day". The model of wishes judges by the words around. Pure.
 */
import { lazyRegExp, once } from "../../lib/once.ts";
import type { Evidence } from "../detection.ts";
import type { JudgedSentences } from "./judge-wish.ts";
import { ownSentences } from "./own-sentences.ts";
import { SENTENCE_QUOTED_AT, WORDS_QUOTED_AT } from "./thresholds.ts";
import { wishOf } from "./wish.ts";

/** Words of a sentence that are judged: each costs some 30 µs. */
const MAX_WORDS = 4;

/** A user's list of wishes has lines like a printed one. */
const listed = lazyRegExp(String.raw`^[ \t]*(?:[-*•]|\d{1,2}[.)、])[ \t]*[^]*^[ \t]*(?:[-*•]|\d{1,2}[.)、])`, "m");

/** Quoted text comes in lines, behind a name or in marks, or is long. A plain order is not looked at: it would cost 0.1 ms. */
const mayQuote = lazyRegExp(String.raw`[\n:：\[「『«»“”„"]|^[^]{120}`, "u");

/** @param judged sentences of the message that are judged already. @returns the test for each intent that the message names. */
export function namedInQuotation(
  text: string,
  judged: JudgedSentences = new Map(),
): (evidence: readonly Evidence[]) => boolean {
  if (!mayQuote().test(text) || listed().test(text)) return () => false;
  const quotationAt = ({ at, length }: Word) => wishOf(text, { start: at, end: at + length }, judged).quotation;
  const isSentenceQuoted = once(() => {
    const shares = wordsOf(text, judged).map(quotationAt);
    return shares.reduce((sum, share) => sum + share, 0) >= SENTENCE_QUOTED_AT * Math.max(1, shares.length);
  });
  return (evidence) => {
    const named = evidence.filter((one) => one.discounted === undefined && one.text !== "");
    if (named.length === 0) return isSentenceQuoted();
    return named.every(({ at, text: { length } }) => quotationAt({ at, length }) >= WORDS_QUOTED_AT);
  };
}

interface Word {
  readonly at: number;
  readonly length: number;
}

/** Longer words of the sentence that is most like a request, spread evenly; none if it holds quotation marks. */
function wordsOf(text: string, judged: JudgedSentences): readonly Word[] {
  const sentences = ownSentences(text).map((sentence) => ({
    sentence,
    request: wishOf(sentence, undefined, judged).request,
  }));
  const { sentence = "" } = sentences.sort((one, other) => other.request - one.request)[0] ?? {};
  const start = text.indexOf(sentence);
  if (start < 0) return [];
  const words = [...sentence.matchAll(/\p{Script=Latin}{4,}|\p{Script=Han}{2}|[\p{Script=Katakana}ー]{2,}/gu)];
  const every = Math.ceil(words.length / MAX_WORDS);
  return words
    .filter((_, i) => i % every === 0)
    .map(({ 0: word, index }) => ({ at: start + index, length: word.length }));
}
