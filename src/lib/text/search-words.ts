/**
 * Full-text search with SQLite's FTS5, for every script. Pure.
 *
 * FTS5 separates words by blanks and punctuation, which Chinese, Japanese, Thai and others do not write between words. So the
 * index gets a boundary after each of their letters (`bounded`), and a query is a phrase of such letters: it finds any run of
 * letters. Korean has blanks, but attaches particles to its words: it is treated the same.
 *
 * The query comes from a model. Only its letters and digits are used, each word in quotation marks, so that it can hold no
 * operator, no column and no syntax error.
 */

import { lazyRegExp } from "../once.ts";
import { normalForm } from "./normal-form.ts";

/** Zero width: a text with it looks the same, and is the same without it. */
const BOUND = "\u200b";

const unbounded =
  "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー々〆]\\p{M}*";
const letter = lazyRegExp(unbounded, "gu");
const hasLetter = lazyRegExp(unbounded, "u");
/** Letters of content words: most function words are in hiragana. */
const telling = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー々〆]`,
  "u",
);
const words = lazyRegExp(String.raw`[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*`, "gu");

const MAX_WORDS = 16;
const MAX_WORD = 64;

/** One spelling for each letter: of full and half width, composed and decomposed. */
const folded = (text: string): string =>
  normalForm(
    text.replace(/[\uff00-\uffef]+/g, (part) => normalForm(part, "NFKC")),
    "NFC",
  );

/** The text for the index; undefined if it is the same. */
export function bounded(text: string): string | undefined {
  const plain = folded(text);
  const marked = plain.replace(letter(), (one) => `${BOUND}${one}${BOUND}`).replaceAll(BOUND + BOUND, BOUND);
  return marked === text ? undefined : marked;
}

/** The text from the index as a person reads it. */
export const unboundedText = (text: string): string => text.replaceAll(BOUND, "");

interface SearchExpressions {
  /** Every word and every phrase. */
  readonly all: string;
  /** Each word; in scripts without blanks each pair of letters. A text with more of them is nearer. */
  readonly parts: readonly string[];
}

/** FTS5 expressions; undefined if there is no word to search for. */
export function searchExpressions(query: string): SearchExpressions | undefined {
  const terms = readTerms(folded(query));
  if (terms.length === 0) return undefined;
  const parts = [...new Set(terms.flatMap(partsOf))].slice(0, MAX_WORDS);
  return { all: terms.map(quoted).join(" AND "), parts: parts.map(quoted) };
}

/** Each term is a list of consecutive tokens. */
function readTerms(query: string): string[] {
  const terms: string[] = [];
  for (const [, phrase, rest] of query.matchAll(
    /["“”„«»「」『』]([^"“”„«»「」『』]*)["“”„«»「」『』]|([^\s"“”„«»「」『』]+)/gu,
  )) {
    const words = wordsOf(phrase ?? rest ?? "");
    if (words.length === 0) continue;
    if (phrase !== undefined) terms.push(words.slice(0, MAX_WORDS).join(" "));
    else terms.push(...words);
    if (terms.length >= MAX_WORDS) break;
  }
  return [...new Set(terms)].slice(0, MAX_WORDS);
}

const wordsOf = (text: string): string[] =>
  (text.match(words()) ?? []).map((word) =>
    [...word].slice(0, MAX_WORD).join("").replace(letter(), " $& ").replace(/\s+/g, " ").trim(),
  );

/** Pairs of letters for scripts without blanks; other words and phrases unchanged. */
const partsOf = (term: string): string[] => (hasLetter().test(term) ? pairsOf(term.split(" ")) : [term]);

function pairsOf(tokens: readonly string[]): string[] {
  const pairs = tokens.slice(1).flatMap((token, at) => {
    const before = tokens[at] ?? "";
    if (!hasLetter().test(token) || !hasLetter().test(before)) return [];
    return telling().test(token) || telling().test(before) ? [`${before} ${token}`] : [];
  });
  const words = tokens.filter((token) => !hasLetter().test(token));
  const found = [...words, ...pairs];
  return found.length > 0 ? found : [tokens.join(" ")];
}

const quoted = (term: string): string => `"${term}"`;
