/** Words of other languages, read as the English words that they mean. Pure; never throws on any text. */
import { hashText, pairHash } from "../hash.ts";
import type { WordVectors } from "../vectors.ts";
import { isUnspaced } from "../words.ts";
import { type Dictionary, noRow, rowsAWord, tellingRow } from "./dictionary.ts";
import { findGerman, foldGerman } from "./german.ts";
import { segment } from "./segment.ts";
import { findSpanish, foldSpanish } from "./spanish.ts";
import type { WordList } from "./word-list.ts";

export type ForeignLanguage = "de" | "es" | "ja" | "zh";

/** What a word means: the English words that translate it, and the rows of those that have a vector. */
export interface Meaning {
  readonly hashes: readonly number[];
  readonly rows: readonly number[];
}

/** A word of the message, with a meaning for each word that it is made of. */
export interface ForeignWord {
  readonly meanings: readonly Meaning[];
  /** Words that it is made of, and how many of them are known. */
  readonly parts: number;
  readonly known: number;
}

export interface Languages {
  readonly fingerprint: number;
  /** Undefined: English, or a language without a dictionary. @param hashes of the words, where they are known. */
  languageOf(words: readonly string[], hashes?: readonly number[]): ForeignLanguage | undefined;
  /** One for each word; undefined where the word is not of the language: then it is read as English. */
  read(words: readonly string[], language: ForeignLanguage): readonly (ForeignWord | undefined)[];
  knows(word: string, language: ForeignLanguage): boolean;
  /** An English word without a vector, by its hash. */
  isRareWord(hash: number): boolean;
  /** In simplified characters where the language is Chinese. */
  simplified(text: string): string;
}

const spaced = { de: { fold: foldGerman, find: findGerman }, es: { fold: foldSpanish, find: findSpanish } } as const;
type Spaced = keyof typeof spaced;
/** The language of a message shows in its first words. */
const wordsToJudge = 24;
/** Words of a message that are taken apart: bounds the time. */
const maxTakenApart = 48;

export function languagesOf(
  dictionaries: ReadonlyMap<ForeignLanguage, Dictionary>,
  wordList: WordList | undefined,
  vectors: Pick<WordVectors, "rowOf" | "hashOf" | "shortness" | "rows">,
): Languages {
  const latin = (["de", "es"] as const).flatMap((language) => {
    const dictionary = dictionaries.get(language);
    return dictionary ? [[language, dictionary] as const] : [];
  });
  const placesOf = (word: string, language: Spaced, isWhole: boolean): readonly number[] => {
    const dictionary = dictionaries.get(language);
    if (!dictionary) return [];
    const { fold, find } = spaced[language];
    const folded = fold(word);
    const place = dictionary.find(hashText(folded));
    if (place >= 0) return [place];
    return isWhole ? [] : find(folded, (other) => dictionary.find(hashText(other)));
  };

  /**
   * Words that are this language's and not English count for it, those that are English alone against it: rarer ones half, for
   * names of things are borrowed ("el package.json").
   */
  const balanceOf = (judged: readonly JudgedWord[], language: Spaced, dictionary: Dictionary): number => {
    let balance = 0;
    const strange: string[] = [];
    for (const { word, hash, weight } of judged) {
      const place = dictionary.find(plain.test(word) ? hash : hashText(spaced[language].fold(word)));
      if (place >= 0) balance += weight === 0 ? 1 : dictionary.isTelling(place) ? 0.5 : 0;
      else if (weight > 0) balance -= weight;
      else if (wordList?.has(hash) !== true) strange.push(word);
    }
    if (balance + strange.length <= 0) return balance;
    return balance + 0.75 * strange.filter((word) => placesOf(word, language, false).length > 0).length;
  };

  const latinLanguage = (words: readonly string[], hashes: readonly number[]): ForeignLanguage | undefined => {
    const judged: JudgedWord[] = [];
    for (let i = 0; i < words.length && judged.length < wordsToJudge; i++) {
      const [word, hash] = [words[i] as string, hashes[i] as number];
      if (!letters.test(word)) continue;
      const row = vectors.rowOf(hash);
      judged.push({ word, hash, weight: row < 0 ? 0 : vectors.shortness(row) > shortnessOfFrequent ? 1 : 0.5 });
    }
    let [best, chosen] = [0, undefined as ForeignLanguage | undefined];
    for (const [language, dictionary] of latin) {
      const balance = balanceOf(judged, language, dictionary);
      if (balance > best) [best, chosen] = [balance, language];
    }
    return chosen;
  };

  const unspacedLanguage = (words: readonly string[], hashes: readonly number[]): ForeignLanguage | undefined => {
    const runs = words.filter((word) => kana.test(word) || han.test(word));
    if (runs.length === 0) return undefined;
    const language = runs.some((word) => kana.test(word)) ? "ja" : "zh";
    // A sign or a name may be quoted in a sentence of another language.
    const isQuoted = runs.join("").length < words.length - runs.length && latinLanguage(words, hashes) !== undefined;
    return dictionaries.has(language) && !isQuoted ? language : undefined;
  };

  return {
    fingerprint: [...dictionaries].reduce(
      (all, [language, { fingerprint }]) => pairHash(all, pairHash(hashText(language), fingerprint)),
      wordList?.fingerprint ?? 0,
    ),
    languageOf(words, hashes = words.map(hashText)) {
      const unspaced = words.some((word) => isUnspaced(word)) ? unspacedLanguage(words, hashes) : undefined;
      return unspaced ?? latinLanguage(words, hashes);
    },
    read(words, language) {
      const dictionary = dictionaries.get(language);
      if (!dictionary) return words.map(() => undefined);
      const meaningOf = (place: number) => meaningAt(dictionary, vectors, place);
      let takenApart = 0;
      return words.map((word) => {
        if (isUnspaced(word)) {
          const { places, unknown } = segment(word, dictionary);
          return { meanings: places.map(meaningOf), parts: places.length + unknown, known: places.length };
        }
        if (language !== "de" && language !== "es") return undefined;
        let places = placesOf(word, language, true);
        if (places.length === 0 && word.length <= longestWord && takenApart < maxTakenApart) {
          takenApart++;
          places = placesOf(word, language, false);
        }
        return places.length === 0 ? undefined : { meanings: places.map(meaningOf), parts: 1, known: 1 };
      });
    },
    knows: (word, language) =>
      language === "de" || language === "es" ? placesOf(word, language, word.length > longestWord).length > 0 : false,
    isRareWord: (hash) => wordList?.has(hash) === true,
    simplified: (text) => dictionaries.get("zh")?.simplified(text) ?? text,
  };
}

interface JudgedWord {
  readonly word: string;
  readonly hash: number;
  /** How much it speaks for English; 0: it is not English. */
  readonly weight: number;
}

/** Of the thousand most frequent English words, about. */
const shortnessOfFrequent = 1.7;
/** Longer words are not taken apart, and say nothing of the language. */
const longestWord = 32;
/** A single letter is a word of several languages. */
const plain = /^[a-z]+$/;
const letters = /^[a-z\u00df-\u024f]{2,32}$/;
const kana = /[\u3041-\u30ff]/;
const han = /[\u3400-\u9fff]/;

function meaningAt(
  { rows, extras }: Dictionary,
  vectors: Pick<WordVectors, "hashOf" | "rows">,
  place: number,
): Meaning {
  const meaning = { hashes: [] as number[], rows: [] as number[] };
  for (let i = place * rowsAWord; i < (place + 1) * rowsAWord; i++) {
    const row = rows[i] as number;
    if (row === noRow || row === tellingRow) break;
    if (row < vectors.rows) meaning.rows.push(row);
    meaning.hashes.push(row < vectors.rows ? vectors.hashOf(row) : (extras[row - vectors.rows] ?? 0));
  }
  return meaning;
}
