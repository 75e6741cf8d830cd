/** Text → what the classifier reads of it: a vector of its words' meaning, and its weighted pieces. Pure. */
import type { Correction } from "../spelling/correct-spelling.ts";
import type { ForeignWord, Languages } from "./dictionary/language.ts";
import { addPrefixHashes, hashIndex, hashText, pairHash } from "./hash.ts";
import { pairSalt, type Vocabulary, wordPiece } from "./piece.ts";
import { type ReadText, vocabularySpeller } from "./speller.ts";
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

export interface EncodedText extends Encoded {
  /** What was read otherwise than it is written. */
  readonly corrections: readonly Correction[];
}

/** @param languages those that the encoder will use. */
export function vocabularyOf(texts: readonly string[], languages?: Languages): Vocabulary {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const { words, hashes } = readWords(text, languages);
    const runs: number[] = [];
    for (const word of words) addRuns(word, runs);
    for (const hash of new Set([...wordPieces(hashes), ...runs])) counts.set(hash, (counts.get(hash) ?? 0) + 1);
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

  /** How often each piece stands in the list that is weighed: all zero between two lists. */
  const times = new Uint32Array(vocabulary.hashes.length);

  /** Of length 1 with the unseen pieces counted in: strange pieces make the others weigh less. */
  const weigh = (hashes: readonly number[]) => {
    const pieces: number[] = [];
    let strange = 0;
    for (const hash of hashes) {
      const piece = indexOf(hash);
      if (piece < 0) {
        strange += unseen;
        continue;
      }
      if (times[piece] === 0) pieces.push(piece);
      times[piece] = (times[piece] as number) + 1;
    }
    const values: number[] = [];
    let seen = 0;
    for (const piece of pieces) {
      const weight = (1 + Math.log(times[piece] as number)) * (rarity[piece] as number);
      values.push(weight);
      seen += weight * weight;
      times[piece] = 0;
    }
    const shrink = 1 / Math.sqrt(seen + strange + 1e-9);
    for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) * shrink;
    return { pieces, values, seen: seen * shrink * shrink };
  };

  return (original) => {
    const first = readWords(original, languages);
    const { text, corrections } = correct(original, first);
    const { words, hashes, language } = text === original ? first : readWords(text, languages);
    const read = languages && language ? languages.read(words, language) : undefined;
    const pieces = read
      ? foreignPieces(words, hashes, read, (hash) => indexOf(hash) >= 0)
      : { words: wordPieces(hashes), runs: runsOf(words) };
    const [whole, runs] = [weigh(pieces.words), weigh(pieces.runs)];
    const { dense, found, parts } = read ? sumMeanings(hashes, read, vectors) : sumWords(hashes, vectors);
    return {
      dense,
      pieces: new Uint32Array(whole.pieces.concat(runs.pieces)),
      values: new Float32Array(whole.values.concat(runs.values)),
      seen: (whole.seen + runs.seen) / 2,
      known: found / Math.max(1, parts),
      corrections,
    };
  };
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
const wordPieces = (hashes: readonly number[]): readonly number[] =>
  hashes.length === 0 ? [] : [...hashes.map(wordPiece), ...pairPieces(hashes)];

const pairPieces = (hashes: readonly number[]): readonly number[] =>
  [...hashes, 0].map((hash, i) => pairHash(hashes[i - 1] ?? 0, hash, pairSalt));

function runsOf(words: readonly string[]): readonly number[] {
  const runs: number[] = [];
  for (const word of words) addRuns(word, runs);
  return runs;
}

/**
 * A word that the policy does not use itself counts as the English words that it means. What says nothing in the other language is
 * not strange; the order of words differs, so only pairs that the policy has are counted.
 */
function foreignPieces(
  words: readonly string[],
  hashes: readonly number[],
  read: readonly (ForeignWord | undefined)[],
  isOwn: (piece: number) => boolean,
): { readonly words: readonly number[]; readonly runs: readonly number[] } {
  const pieces: number[] = pairPieces(hashes).filter(isOwn);
  const runs: number[] = [];
  words.forEach((word, i) => {
    const piece = wordPiece(hashes[i] as number);
    const meanings = read[i]?.meanings;
    const wordRuns = runsOf([word]);
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

/** Adds runs of 3 and 4 units of ` word `; of 1 to 3 where words are not spaced, for there a word has about that length. */
function addRuns(word: string, runs: number[]): void {
  const isSpaced = !isUnspaced(word);
  const text = isSpaced ? ` ${word.slice(0, longestWord)} ` : word;
  const [shortest, longest] = isSpaced ? [3, 4] : [1, 3];
  for (let start = 0; start < text.length; start++) addPrefixHashes(text, start, shortest, longest, runs);
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
    // Frequent neighbours have a vector of their own: "how much" is not what "how" and "much" say. 0 is the text's border.
    add(pairHash(before, hash));
    found += add(hash);
    before = hash;
  }
  if (hashes.length > 0) add(pairHash(before, 0));
  return { dense: ofLengthOne(dense, vectors), found, parts: hashes.length };
}

/** Of one translation among up to three, the likeliest first. */
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
