/** Corrects misspelt words against a policy's own words and those that have a vector. Pure; never throws on any text. */
import { type CorrectedText, correctSpelling, type KnownWords, maxSeen, rare } from "../spelling/correct-spelling.ts";
import type { ForeignLanguage } from "./dictionary/language.ts";
import { hashText, pairHash } from "./hash.ts";
import { pairSalt, type Vocabulary, wordPiece } from "./piece.ts";
import type { WordVectors } from "./vectors.ts";

/** A policy's words, by their hashes. */
interface OwnWords {
  /** In how many texts of the policy a word is; 0: in none. */
  readonly textsOf: (hash: number) => number;
  readonly hasPair: (first: number, second: number) => boolean;
}

/** Above any word that is not the policy's own. */
const ownRank = 10;
/** The policy's own neighbours of a word are better evidence than the word's frequency. */
const ownPairRank = 12;
const pairRank = 1;
const mayBeWrong = /^[a-z\u00df-\u024f]{3,24}$/;

/** Corrects what a policy's model reads. @param indexOf finds a piece in the vocabulary, or -1. */
export function vocabularySpeller(vocabulary: Vocabulary, indexOf: (piece: number) => number, vectors: WordVectors) {
  const own: OwnWords = {
    textsOf(hash) {
      const piece = indexOf(wordPiece(hash));
      return piece < 0 ? 0 : (vocabulary.texts[piece] ?? 1);
    },
    hasPair: (first, second) => indexOf(pairHash(first, second, pairSalt)) >= 0,
  };
  return spellerOf(own, vectors);
}

/** A text's words, as `wordsOf` gives them. */
export interface ReadText {
  readonly words: readonly string[];
  readonly hashes: readonly number[];
  /** Undefined: English, or a language without a dictionary. */
  readonly language: ForeignLanguage | undefined;
}

type Speller = (text: string, read: ReadText) => CorrectedText;

function spellerOf(own: OwnWords, vectors: WordVectors): Speller {
  const { languages } = vectors;
  const ownRankOf = (hash: number): number => {
    const texts = own.textsOf(hash);
    return texts === 0 ? 0 : ownRank + Math.log(texts);
  };
  const pairRankOf = (first: number, second: number): number =>
    (own.hasPair(first, second) ? ownPairRank : 0) + (vectors.rowOf(pairHash(first, second)) >= 0 ? pairRank : 0);

  const english: KnownWords = {
    rankOf(hash) {
      const rank = ownRankOf(hash);
      const row = rank > 0 ? -1 : vectors.rowOf(hash);
      return row < 0 ? rank : 1 + vectors.shortness(row);
    },
    pairRankOf,
    sureness(word) {
      const hash = hashText(word);
      if (vectors.rowOf(hash) >= 0 || own.textsOf(hash) > 0) return Number.POSITIVE_INFINITY;
      return languages?.isRareWord(hash) ? rare : 0;
    },
  };
  /** A word of another language has many forms: a strange one is only ever corrected to one of the policy's own. */
  const foreign = (language: ForeignLanguage): KnownWords => ({
    rankOf: ownRankOf,
    pairRankOf,
    sureness: (word) => (languages?.knows(word, language) ? Number.POSITIVE_INFINITY : english.sureness(word)),
    nounsAreCapitalised: language === "de",
  });

  return (text, { words, hashes, language }) => {
    const known = language ? foreign(language) : english;
    const isStrange = (word: string, hash: number) =>
      vectors.rowOf(hash) < 0 && mayBeWrong.test(word) && known.sureness(word) !== Number.POSITIVE_INFINITY;
    const some = words.slice(0, maxSeen).some((word, i) => isStrange(word, hashes[i] as number));
    return some ? correctSpelling(text, known) : { text, corrections: [] };
  };
}
