/** Pieces of a text that the classifier weighs: a word's, and a pair's of neighbours. Pure. */
import { mixed } from "./hash.ts";

const wordSalt = 0x1357;
export const pairSalt = 0x2468;

/** @param hash of the word, by `hashText`. */
export const wordPiece = (hash: number): number => mixed(hash ^ wordSalt);

/** Which pieces a policy's texts hold, and in how many texts each is. */
export interface Vocabulary {
  /** Ascending. */
  readonly hashes: Uint32Array;
  readonly texts: Uint16Array;
  /** How many texts there are. */
  readonly total: number;
}
