/** Corrects what a policy's model reads, against the policy's own words and those that have a vector. Pure. */
import { correctSpelling, type KnownWords, maxSeen, rare } from "../spelling/correct-spelling.ts";
import type { ForeignLanguage } from "./dictionary/languages.ts";
import type { Vocabulary } from "./encoder.ts";
import { hashText, pairHash } from "./hash.ts";
import { pairSalt, wordPiece } from "./piece.ts";
import type { WordVectors } from "./vectors.ts";

/** Above any word that is not the policy's own. */
const ownRank = 10;
/** A neighbour that the policy has beside the word tells more than how often the word is met. */
const ownPairRank = 12;
const pairRank = 1;
const mayBeWrong = /^[a-z\u00df-\u024f]{3,24}$/;

/** @param indexOf finds a piece in the vocabulary, or -1. */
export function speller(vocabulary: Vocabulary, indexOf: (piece: number) => number, vectors: WordVectors) {
  const { languages } = vectors;
  const ownRankOf = (hash: number): number => {
    const piece = indexOf(wordPiece(hash));
    return piece < 0 ? 0 : ownRank + Math.log(vocabulary.texts[piece] ?? 1);
  };
  const pairRankOf = (first: number, second: number): number =>
    (indexOf(pairHash(first, second, pairSalt)) >= 0 ? ownPairRank : 0) +
    (vectors.rowOf(pairHash(first, second)) >= 0 ? pairRank : 0);

  const english: KnownWords = {
    rankOf: (hash) => {
      const own = ownRankOf(hash);
      const row = own > 0 ? -1 : vectors.rowOf(hash);
      return row < 0 ? own : 1 + vectors.shortness(row);
    },
    pairRankOf,
    sureness(word) {
      const hash = hashText(word);
      if (vectors.rowOf(hash) >= 0 || indexOf(wordPiece(hash)) >= 0) return Number.POSITIVE_INFINITY;
      return languages?.isRareWord(hash) ? rare : 0;
    },
  };
  /** A word of another language has many forms: what looks strange is only ever taken for one of the policy's own. */
  const foreign = (language: ForeignLanguage): KnownWords => ({
    rankOf: ownRankOf,
    pairRankOf,
    sureness: (word) => (languages?.knows(word, language) ? Number.POSITIVE_INFINITY : english.sureness(word)),
    nounsAreCapitalised: language === "de",
  });

  return (text: string, words: readonly string[], language: ForeignLanguage | undefined): string => {
    const known = language ? foreign(language) : english;
    const isStrange = (word: string) => mayBeWrong.test(word) && known.sureness(word) !== Number.POSITIVE_INFINITY;
    return words.slice(0, maxSeen).some(isStrange) ? correctSpelling(text, known).text : text;
  };
}
