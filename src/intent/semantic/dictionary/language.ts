/** The part of a dictionary that the trained layer uses: the language of a message, and the English meaning of its words. Pure. */

export type ForeignLanguage = "de" | "es" | "fr" | "ja" | "zh";

/** Undefined: English, or a language without a dictionary. @param hashes of the words, if they are known. */
export type LanguageJudge = (words: readonly string[], hashes?: readonly number[]) => ForeignLanguage | undefined;

/** The meaning of a word: the English words that translate it, and the rows of those that have a vector. */
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
  readonly languageOf: LanguageJudge;
  /** One for each word; undefined if the word is not of the language: then it is read as English. */
  read(words: readonly string[], language: ForeignLanguage): readonly (ForeignWord | undefined)[];
  knows(word: string, language: ForeignLanguage): boolean;
  /** An English word without a vector, by its hash. */
  isRareWord(hash: number): boolean;
  /** In simplified characters if the language is Chinese. */
  simplified(text: string): string;
}
