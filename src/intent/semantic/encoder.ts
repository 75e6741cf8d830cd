/** Text → what the classifier reads of it: a vector of its words' meaning, and its weighted pieces. Pure. */
import { addPrefixHashes, hashIndex, hashText, mixed, pairHash } from "./hash.ts";
import type { WordVectors } from "./vectors.ts";
import { isUnspaced, wordsOf } from "./words.ts";

export interface Encoded {
  /** Of length 1, or all zero where no word has a vector. */
  readonly dense: Float32Array;
  /** Pieces of the vocabulary, each once, and how much each counts. */
  readonly pieces: Uint32Array;
  readonly values: Float32Array;
  /** Share of the text's pieces, by weight, that the policy has somewhere. */
  readonly seen: number;
  /** Share of the words that have a vector. */
  readonly known: number;
}

/** Which pieces a policy's texts hold, and in how many texts each is. */
export interface Vocabulary {
  /** Ascending. */
  readonly hashes: Uint32Array;
  readonly texts: Uint16Array;
  /** How many texts there are. */
  readonly total: number;
}

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const { words, runs } = piecesOf(wordsOf(text));
    for (const hash of new Set([...words, ...runs])) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return {
    hashes: Uint32Array.from(sorted, ([hash]) => hash),
    texts: Uint16Array.from(sorted, ([, count]) => Math.min(count, 0xffff)),
    total: texts.length,
  };
}

export function createEncoder(vocabulary: Vocabulary, vectors: WordVectors): (text: string) => Encoded {
  const rarityOf = (texts: number) => Math.log((1 + vocabulary.total) / (1 + texts)) + 1;
  const rarity = Float32Array.from(vocabulary.texts, rarityOf);
  const unseen = rarityOf(0) ** 2;
  const indexOf = hashIndex(vocabulary.hashes);

  /** Of length 1 with the unseen pieces counted in: strange pieces make the others weigh less. */
  const weigh = (hashes: readonly number[]) => {
    const times = new Map<number, number>();
    let strange = 0;
    for (const hash of hashes) {
      const piece = indexOf(hash);
      if (piece < 0) strange += unseen;
      else times.set(piece, (times.get(piece) ?? 0) + 1);
    }
    const weights = Array.from(times, ([piece, count]) => (1 + Math.log(count)) * (rarity[piece] as number));
    const seen = weights.reduce((sum, weight) => sum + weight * weight, 0);
    const shrink = 1 / Math.sqrt(seen + strange + 1e-9);
    return {
      pieces: [...times.keys()],
      values: weights.map((weight) => weight * shrink),
      seen: seen * shrink * shrink,
    };
  };

  return (text) => {
    const words = wordsOf(text);
    const hashes = piecesOf(words);
    const [whole, runs] = [weigh(hashes.words), weigh(hashes.runs)];
    const { dense, found } = sumWords(words, vectors);
    return {
      dense,
      pieces: new Uint32Array(whole.pieces.concat(runs.pieces)),
      values: new Float32Array(whole.values.concat(runs.values)),
      seen: (whole.seen + runs.seen) / 2,
      known: found / Math.max(1, words.length),
    };
  };
}

const salts = { word: 0x1357, pair: 0x2468 } as const;
const longestWord = 32;

/** Hashes of words and pairs of words, and of runs of characters inside words; each as often as it occurs. */
function piecesOf(words: readonly string[]): { readonly words: readonly number[]; readonly runs: readonly number[] } {
  const hashes = words.map(hashText);
  const pairs = [...hashes, 0].map((hash, i) => pairHash(hashes[i - 1] ?? 0, hash, salts.pair));
  const runs: number[] = [];
  for (const word of words) addRuns(word, runs);
  return {
    words: words.length === 0 ? [] : [...hashes.map((hash) => mixed(hash ^ salts.word)), ...pairs],
    runs,
  };
}

/** Adds runs of 3 and 4 units of ` word `; of 1 to 3 where words are not spaced, for there a word has about that length. */
function addRuns(word: string, runs: number[]): void {
  const isSpaced = !isUnspaced(word);
  const text = isSpaced ? ` ${word.slice(0, longestWord)} ` : word;
  const [shortest, longest] = isSpaced ? [3, 4] : [1, 3];
  for (let start = 0; start < text.length; start++) addPrefixHashes(text, start, shortest, longest, runs);
}

/** The direction of the sum of the words' vectors, and how many words have one. */
export function sumWords(words: readonly string[], vectors: WordVectors): { dense: Float32Array; found: number } {
  const dense = new Float32Array(vectors.dimensions);
  const add = (hash: number): number => {
    const row = vectors.rowOf(hash);
    if (row >= 0) vectors.add(row, dense);
    return row >= 0 ? 1 : 0;
  };
  let found = 0;
  let before = 0;
  for (const hash of words.map(hashText)) {
    // Frequent neighbours have a vector of their own: "how much" is not what "how" and "much" say. 0 is the text's border.
    add(pairHash(before, hash));
    found += add(hash);
    before = hash;
  }
  if (words.length > 0) add(pairHash(before, 0));
  vectors.scale(dense);
  const length = Math.sqrt(dense.reduce((sum, value) => sum + value * value, 0)) || 1;
  return { dense: dense.map((value) => value / length), found };
}
