/** Pieces of a text that the classifier weighs: a word's, and a pair's of neighbours. Pure. */
import { mixed } from "./hash.ts";

const wordSalt = 0x1357;
export const pairSalt = 0x2468;

/** @param hash of the word, by `hashText`. */
export const wordPiece = (hash: number): number => mixed(hash ^ wordSalt);
