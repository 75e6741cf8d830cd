/** Text → the classifier's input: a vector of its words' meaning, and its weighted pieces. Pure. */
import type { Correction } from "../spelling/correct-spelling.ts";
import type { ForeignWord, Languages } from "./dictionary/language.ts";
import { addPrefixHashes, hashIndex, hashText, pairHash } from "./hash.ts";
import { pairSalt, type Vocabulary, wordPiece } from "./piece.ts";
import { type ReadText, vocabularySpeller } from "./speller.ts";
import type { WordVectors } from "./vectors.ts";
import { isUnspaced, wordsOf } from "./words.ts";

export interface TextFeatures {
  /** Of length 1, or all zero if no word has a vector. */
  readonly dense: Float32Array;
  /** Pieces of the vocabulary, each once, and how much each counts. */
  readonly pieces: Uint32Array;
  readonly values: Float32Array;
  /** Share of the text's pieces, by weight, that the policy has somewhere. */
  readonly seen: number;
  /** Share of the words that have a vector. */
  readonly known: number;
}

export interface EncodedText extends TextFeatures {
  /** Words that were read otherwise than they are written. */
  readonly corrections: readonly Correction[];
}

/** @param languages those that the encoder will use. */
export function vocabularyOf(texts: readonly string[], languages?: Languages): Vocabulary {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const { words, hashes } = readWords(text, languages);
    const pieces = new Set<number>();
    const add = (hash: number) => void pieces.add(hash);
    addWordPieces(hashes, add);
    for (const word of words) addRuns(word, add);
    for (const hash of pieces) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return {
    hashes: Uint32Array.from(sorted, ([hash]) => hash),
    texts: Uint16Array.from(sorted, ([, count]) => Math.min(count, 0xffff)),
    total: texts.length,
  };
}

export function createEncoder(vocabulary: Vocabulary, vectors: WordVectors): (text: string) => EncodedText {
  const { languages } = vectors;
  const rarityOf = (texts: number) => Math.log((1 + vocabulary.total) / (1 + texts)) + 1;
  const rarity = Float32Array.from(vocabulary.texts, rarityOf);
  const unseen = rarityOf(0) ** 2;
  const indexOf = hashIndex(vocabulary.hashes);
  const correct = vocabularySpeller(vocabulary, indexOf, vectors);

  // Pieces are counted as they are found: a message has some thousand, and lists of them took a fifth of its classification.
  /** The pieces of a text, and the weight of each; `size` of them count. */
  const pieces: number[] = [];
  const weights: number[] = [];
  let size = 0;
  /** How often each piece was found: all zero between two weighings. */
  const times = new Uint32Array(vocabulary.hashes.length);
  let strange = 0;
  const count = (hash: number): void => {
    const piece = indexOf(hash);
    if (piece < 0) {
      strange += unseen;
      return;
    }
    if (times[piece] === 0) pieces[size++] = piece;
    times[piece] = (times[piece] as number) + 1;
  };

  /**
   * Weighs the pieces from `first` on. Their length is 1 with the unseen pieces counted in: strange pieces make the others weigh less.
   * @returns the share of those that were seen.
   */
  const weigh = (first: number): number => {
    let seen = 0;
    for (let i = first; i < size; i++) {
      const piece = pieces[i] as number;
      const weight = (1 + Math.log(times[piece] as number)) * (rarity[piece] as number);
      weights[i] = weight;
      seen += weight * weight;
      times[piece] = 0;
    }
    const shrink = 1 / Math.sqrt(seen + strange + 1e-9);
    for (let i = first; i < size; i++) weights[i] = (weights[i] as number) * shrink;
    strange = 0;
    return seen * shrink * shrink;
  };

  return (original) => {
    const first = readWords(original, languages);
    const { text, corrections } = correct(original, first);
    const { words, hashes, language } = text === original ? first : readWords(text, languages);
    const read = languages && language ? languages.read(words, language) : undefined;
    const foreign = read && foreignPieces(words, hashes, read, (hash) => indexOf(hash) >= 0);
    size = 0;
    if (foreign) for (const hash of foreign.words) count(hash);
    else addWordPieces(hashes, count);
    const seenWords = weigh(0);
    const ofWords = size;
    if (foreign) for (const hash of foreign.runs) count(hash);
    else for (const word of words) addRuns(word, count);
    const seenRuns = weigh(ofWords);
    const { dense, found, parts } = read ? sumMeanings(hashes, read, vectors) : sumWords(hashes, vectors);
    return {
      dense,
      pieces: firstOf(pieces, new Uint32Array(size)),
      values: firstOf(weights, new Float32Array(size)),
      seen: (seenWords + seenRuns) / 2,
      known: found / Math.max(1, parts),
      corrections,
    };
  };
}

function firstOf<List extends Uint32Array | Float32Array>(values: readonly number[], list: List): List {
  for (let i = 0; i < list.length; i++) list[i] = values[i] as number;
  return list;
}

function readWords(text: string, languages: Languages | undefined): ReadText {
  const words = wordsOf(text);
  const hashes = words.map(hashText);
  const language = languages?.languageOf(words, hashes);
  if (!languages || language !== "zh") return { words, hashes, language };
  const simplified = words.map(languages.simplified);
  return { words: simplified, hashes: simplified.map(hashText), language };
}

/** Hashes of words and pairs of words, each as often as it occurs. */
function addWordPieces(hashes: readonly number[], add: (hash: number) => void): void {
  for (let i = 0; i < hashes.length; i++) add(wordPiece(hashes[i] as number));
  if (hashes.length > 0) addPairPieces(hashes, add);
}

/** With the text's border before the first and behind the last. */
function addPairPieces(hashes: readonly number[], add: (hash: number) => void): void {
  for (let i = 0; i <= hashes.length; i++) add(pairHash(hashes[i - 1] ?? 0, hashes[i] ?? 0, pairSalt));
}

/**
 * A word that the policy does not use itself counts as the English words that it means. A word without a translation is
 * not strange; the order of words differs, so only pairs that the policy has are counted.
 */
function foreignPieces(
  words: readonly string[],
  hashes: readonly number[],
  read: readonly (ForeignWord | undefined)[],
  isOwn: (piece: number) => boolean,
): { readonly words: readonly number[]; readonly runs: readonly number[] } {
  const pieces: number[] = [];
  const runs: number[] = [];
  addPairPieces(hashes, (hash) => {
    if (isOwn(hash)) pieces.push(hash);
  });
  words.forEach((word, i) => {
    const piece = wordPiece(hashes[i] as number);
    const meanings = read[i]?.meanings;
    const wordRuns: number[] = [];
    addRuns(word, (hash) => wordRuns.push(hash));
    if (isOwn(piece) || meanings === undefined || meanings.length === 0) {
      pieces.push(piece);
      runs.push(...wordRuns);
      return;
    }
    for (const { hashes: english } of meanings) {
      const own = english.map(wordPiece).filter(isOwn);
      pieces.push(...(own.length > 0 ? own : english.slice(0, 1).map(wordPiece)));
    }
    runs.push(...wordRuns.filter(isOwn));
  });
  return { words: pieces, runs };
}

const longestWord = 32;

/** Adds runs of 3 and 4 units of ` word `; of 1 to 3 in scripts without spaces, in which a word has about that length. */
function addRuns(word: string, add: (hash: number) => void): void {
  const isSpaced = !isUnspaced(word);
  const text = isSpaced ? ` ${word.slice(0, longestWord)} ` : word;
  const [shortest, longest] = isSpaced ? [3, 4] : [1, 3];
  for (let start = 0; start < text.length; start++) addPrefixHashes(text, start, shortest, longest, add);
}

interface Sum {
  /** The direction of the sum of the words' vectors. */
  readonly dense: Float32Array;
  /** How many words have one, of how many. */
  readonly found: number;
  readonly parts: number;
}

function sumWords(hashes: readonly number[], vectors: WordVectors): Sum {
  const dense = new Float32Array(vectors.dimensions);
  const add = (hash: number): number => {
    const row = vectors.rowOf(hash);
    if (row >= 0) vectors.add(row, dense);
    return row >= 0 ? 1 : 0;
  };
  let found = 0;
  let before = 0;
  for (const hash of hashes) {
    // Frequent neighbours have a vector of their own: "how much" means something else than "how" and "much". 0 is the text's border.
    add(pairHash(before, hash));
    found += add(hash);
    before = hash;
  }
  if (hashes.length > 0) add(pairHash(before, 0));
  return { dense: ofLengthOne(dense, vectors), found, parts: hashes.length };
}

/** Weights of up to three translations, the likeliest first. */
const shareOf = (rank: number, of: number): number =>
  of === 1 ? 1 : of === 2 ? ([0.6, 0.4][rank] ?? 0) : ([0.5, 0.3, 0.2][rank] ?? 0);

/** A word counts once, however many translations it has. */
function sumMeanings(hashes: readonly number[], read: readonly (ForeignWord | undefined)[], vectors: WordVectors): Sum {
  const dense = new Float32Array(vectors.dimensions);
  let [found, parts] = [0, 0];
  read.forEach((word, i) => {
    const row = word ? -1 : vectors.rowOf(hashes[i] as number);
    if (row >= 0) vectors.add(row, dense);
    for (const { rows } of word?.meanings ?? [])
      for (const [rank, of] of rows.entries()) vectors.add(of, dense, shareOf(rank, rows.length));
    found += word?.known ?? (row >= 0 ? 1 : 0);
    parts += word?.parts ?? 1;
  });
  return { dense: ofLengthOne(dense, vectors), found, parts };
}

function ofLengthOne(sum: Float32Array, vectors: WordVectors): Float32Array {
  vectors.scale(sum);
  let squares = 0;
  for (let i = 0; i < sum.length; i++) squares += (sum[i] as number) ** 2;
  const length = Math.sqrt(squares) || 1;
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) / length;
  return sum;
}
