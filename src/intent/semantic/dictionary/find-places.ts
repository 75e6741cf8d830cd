/** Finds words of languages that put spaces between them. Pure. */
import { hashText } from "../hash.ts";
import type { Dictionary } from "./dictionary.ts";
import { findFrench, foldFrench } from "./french.ts";
import { findGerman, foldGerman } from "./german.ts";
import { findSpanish, foldSpanish } from "./spanish.ts";

export type SpacedLanguage = "de" | "es" | "fr";

const grammars = {
  de: { fold: foldGerman, find: findGerman },
  es: { fold: foldSpanish, find: findSpanish },
  fr: { fold: foldFrench, find: findFrench },
} as const;
/** Longer words are not taken apart. */
const longestWord = 32;
const plain = /^[a-z]+$/;

/** Place of the word as it is written, or -1. @param hash of the word, by `hashText`. */
export const placeOfForm = (dictionary: Dictionary, language: SpacedLanguage, word: string, hash: number): number =>
  dictionary.find(plain.test(word) ? hash : hashText(grammars[language].fold(word)));

/** Places of the words that a word is a form of, or made of; none if it is strange. */
export function placesOf(dictionary: Dictionary, language: SpacedLanguage, word: string): readonly number[] {
  const { fold, find } = grammars[language];
  const folded = fold(word);
  const place = dictionary.find(hashText(folded));
  if (place >= 0) return [place];
  return word.length > longestWord ? [] : find(folded, (other) => dictionary.find(hashText(other)));
}
