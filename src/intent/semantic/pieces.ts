/** The pieces of a text that a policy's model knows by hash: words, neighbours, and runs of characters inside words. Pure. */
import { hashText, joined, mixed } from "./hash.ts";
import { isUnspaced } from "./words.ts";

const salts = { word: 0x1357, pair: 0x2468 } as const;
const longestWord = 32;
/** Runs of 3 and 4 units, the word's borders counted as units. */
const [shortest, longest] = [3, 4];

export interface Pieces {
  /** Words and pairs of words first, then runs of characters; each as often as it is met. */
  readonly hashes: Uint32Array;
  /** How many are words and pairs. */
  words: number;
  total: number;
}

export const createPieces = (): Pieces => ({ hashes: new Uint32Array(16_384), words: 0, total: 0 });

/** Fills `pieces` anew; what does not fit is left out. */
export function cutPieces(words: readonly string[], pieces: Pieces): void {
  const { hashes } = pieces;
  let at = 0;
  let before = 0;
  for (const word of words) {
    const hash = hashText(word);
    if (at + 2 > hashes.length) break;
    hashes[at++] = mixed(hash ^ salts.word);
    hashes[at++] = joined(before, hash, salts.pair);
    before = hash;
  }
  if (words.length > 0 && at < hashes.length) hashes[at++] = joined(before, 0, salts.pair);
  pieces.words = at;
  for (const word of words) at = isUnspaced(word) ? cutUnspaced(word, hashes, at) : cutSpaced(word, hashes, at);
  pieces.total = at;
}

/** Every run of 3 and 4 units of ` word `. */
function cutSpaced(word: string, hashes: Uint32Array, from: number): number {
  const length = Math.min(word.length, longestWord) + 2;
  let at = from;
  for (let start = 0; start + shortest <= length; start++) {
    let hash = 0x811c9dc5;
    const end = Math.min(length, start + longest);
    for (let i = start; i < end; i++) {
      const unit = i === 0 || i === length - 1 ? 32 : word.charCodeAt(i - 1);
      hash = Math.imul(hash ^ unit, 0x01000193);
      if (i - start + 1 >= shortest && at < hashes.length) hashes[at++] = mixed(hash);
    }
  }
  return at;
}

/** Every run of 1 to 3 units: a word of Chinese, Japanese or Thai has about that length. */
function cutUnspaced(word: string, hashes: Uint32Array, from: number): number {
  let at = from;
  for (let start = 0; start < word.length; start++) {
    let hash = 0x811c9dc5;
    const end = Math.min(word.length, start + 3);
    for (let i = start; i < end; i++) {
      hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
      if (at < hashes.length) hashes[at++] = mixed(hash);
    }
  }
  return at;
}
