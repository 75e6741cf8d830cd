/** Makes the examples that the model of wishes learns from a sentence: the words around its candidate, and the whole sentence. Pure. */
import type { Features } from "../../intent/wish/features.ts";
import { isQuoted } from "../../intent/wish/judge-wish.ts";
import { ownSentences } from "../../intent/wish/own-sentences.ts";
import { sentenceFeatures, wishFeatures } from "../../intent/wish/wish-features.ts";
import type { Span } from "../../lib/text/span.ts";
import type { Example } from "./fit-linear.ts";
import { type WishSentence, wishLabels } from "./sentences.ts";

/** `unmarked`: a sentence beside quoted text, which may be of any kind. */
const weights = { candidate: 1, sentence: 0.8, drawnCandidate: 0.2, wholeSentence: 0.6, unmarked: 0.3 };
const maxDrawn = 2;

export function wishExamples(sentences: readonly WishSentence[]): readonly Example[] {
  return sentences.flatMap(({ label, text, candidate }, index) => {
    const number = wishLabels.indexOf(label);
    const example = (features: Features, weight: number): Example => ({ features, label: number, weight });
    const start = candidate === undefined ? -1 : text.indexOf(candidate);
    const around =
      candidate === undefined
        ? drawn(text, index).map((span) => example(wishFeatures(text, span), weights.drawnCandidate))
        : candidateSpans(text, start, candidate).map((span) => example(wishFeatures(text, span), weights.candidate));
    const whole = sentencesOf(label, text, candidate);
    const weight = (candidate === undefined ? weights.wholeSentence : weights.sentence) / whole.length;
    const weightOf = (sentence: string): number =>
      label === "quotation" && !sentence.includes('""') ? weight * weights.unmarked : weight;
    return [...around, ...whole.map((sentence) => example(sentenceFeatures(sentence), weightOf(sentence)))];
  });
}

/** No candidates in quoted text: there the quotation marks decide, and the model must not learn each such mark as a sign of a quotation. */
function candidateSpans(text: string, start: number, candidate: string): readonly Span[] {
  const span = { start, end: start + candidate.length };
  return isQuoted(text, span) ? [] : [span];
}

/** The sentences that the label applies to. A message with a quotation may also contain a request of its own. */
function sentencesOf(label: WishSentence["label"], text: string, candidate: string | undefined): readonly string[] {
  const sentences = ownSentences(text);
  if (label === "quotation") return sentences.filter((sentence) => !/[?？]/.test(sentence));
  if (sentences.length === 1 || label === "statement" || label === "question") return sentences;
  const index = candidate === undefined ? -1 : sentences.findIndex((sentence) => sentence.includes(candidate));
  return index < 0 ? [] : sentences.slice(index, index + 1);
}

/** Longer words, or pieces of words in languages without spaces. The choice is the same each time. */
function drawn(text: string, seed: number): readonly Span[] {
  const words = [...text.matchAll(/\p{Script=Latin}{4,}|\p{Script=Han}{2}|[\p{Script=Katakana}ー]{2,}/gu)];
  const first = (seed * 7) % Math.max(1, words.length);
  return [...words.slice(first), ...words.slice(0, first)]
    .slice(0, maxDrawn)
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}
