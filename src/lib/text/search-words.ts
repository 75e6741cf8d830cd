/**
 * Full-text search with SQLite's FTS5, for every script. Pure.
 *
 * FTS5 tells words by what stands between them, and Chinese, Japanese, Thai and others have nothing there: what is indexed
 * gets a word bound after each of their letters (`bounded`), and what is searched for is a phrase of such letters. Any run of
 * letters is found so, however short. Korean has blanks, but particles stick to its words: it is treated alike.
 *
 * What is searched for comes from a model. Of it only letters and digits are taken, each word between quotation marks: no
 * operator, column or syntax error can come of it.
 */
import { latePattern } from "../once.ts";

/** Zero width: what was bounded reads as it did, and is so again without it. */
const BOUND = "\u200b";

const unbounded =
  "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー々〆]\\p{M}*";
const letter = latePattern(unbounded, "gu");
const hasLetter = latePattern(unbounded, "u");
/** What tells of content: most of the words that only link are in hiragana. */
const telling = latePattern(
  String.raw`[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー々〆]`,
  "u",
);
const words = latePattern(String.raw`[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*`, "gu");

const MAX_WORDS = 16;
const MAX_WORD = 64;

/** One letter, one spelling: full and half width are the same, and so are composed and decomposed ones. */
const folded = (text: string): string =>
  text.replace(/[\uff00-\uffef]+/g, (part) => part.normalize("NFKC")).normalize("NFC");

/** As it goes into the index; undefined where that is the text itself. */
export function bounded(text: string): string | undefined {
  const plain = folded(text);
  const marked = plain.replace(letter(), (one) => `${BOUND}${one}${BOUND}`).replaceAll(BOUND + BOUND, BOUND);
  return marked === text ? undefined : marked;
}

/** As a person reads what came out of the index. */
export const unboundedText = (text: string): string => text.replaceAll(BOUND, "");

export interface SearchExpressions {
  /** Every word and every phrase. */
  readonly all: string;
  /** Each word, and words of scripts without blanks in parts: what has more of them is nearer. */
  readonly parts: readonly string[];
}

/** FTS5 expressions; undefined where there is no word to search for. */
export function searchExpressions(query: string): SearchExpressions | undefined {
  const terms = readTerms(folded(query));
  if (terms.length === 0) return undefined;
  const parts = [...new Set(terms.flatMap(partsOf))].slice(0, MAX_WORDS);
  return { all: terms.map(quoted).join(" AND "), parts: parts.map(quoted) };
}

/** Each a list of tokens that must follow each other. */
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

/** Pairs of letters of what has no blanks; other words, and phrases of them, as they are. */
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
