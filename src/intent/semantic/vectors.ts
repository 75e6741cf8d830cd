/**
 * Word vectors as they lie in the asset: rows of four-bit levels, found by the word's hash. Pure; reads views, parses nothing.
 *
 * | bytes | what |
 * |---|---|
 * | 4 + 4 + 4 + 4 | magic, version, dimensions (a multiple of 8), rows |
 * | 16 × 4 | the sixteen levels |
 * | dimensions × 4 | how far a level reaches in each dimension |
 * | rows × 4 | hashes, ascending |
 * | rows × 4 | how long each row is |
 * | rows × dimensions / 2 | levels, two a byte, the lower four bits first |
 */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Languages } from "./dictionary/language.ts";
import { hashBytes, hashIndex, pairHash } from "./hash.ts";

export const vectorsMagic = 0x56_57_47_54;
export const vectorsVersion = 1;
const headBytes = 16;
const levelCount = 16;

export interface WordVectors {
  readonly dimensions: number;
  readonly rows: number;
  /** Tells one asset from another. */
  readonly fingerprint: number;
  /** Row of the word of that hash, or -1. */
  rowOf(hash: number): number;
  /** Of the word of that row. */
  hashOf(row: number): number;
  /** How short the row is, from 0 to 2.5: frequent words are short, for they say little. */
  shortness(row: number): number;
  /** Adds that share of the row (all of it by default), in the asset's own scale, to the first `dimensions` of `sum`. */
  add(row: number, sum: Float32Array, share?: number): void;
  /** Brings a sum of rows to the vectors' true scale. */
  scale(sum: Float32Array): void;
  /** Dictionaries of other languages, where they were loaded. */
  readonly languages?: Languages;
}

/** The same vectors, with words of other languages. Models that are trained with one set of languages do not fit another. */
export const withLanguages = (vectors: WordVectors, languages: Languages): WordVectors => ({
  ...vectors,
  fingerprint: pairHash(vectors.fingerprint, languages.fingerprint),
  languages,
});

/** The words that `trainSemantic` and `classify` know. Refuses what is not whole. */
export function readVectors(bytes: ArrayBuffer): Result<WordVectors, string> {
  if (bytes.byteLength < headBytes) return err("the word vectors are cut off");
  const [magic, version, dimensions = 0, rows = 0] = new Uint32Array(bytes, 0, 4);
  if (magic !== vectorsMagic) return err("these are no word vectors");
  if (version !== vectorsVersion) return err(`word vectors of version ${version} where ${vectorsVersion} is read`);
  if (dimensions % 8 !== 0 || dimensions < 8 || dimensions > 1024 || rows < 1 || rows > 1 << 20) {
    return err(`word vectors of ${rows} rows and ${dimensions} dimensions are not read`);
  }
  const want = headBytes + 4 * (levelCount + dimensions + 2 * rows) + (rows * dimensions) / 2;
  if (bytes.byteLength !== want) return err(`the word vectors have ${bytes.byteLength} bytes where ${want} are due`);
  let at = headBytes;
  const floats = (count: number) => {
    at += 4 * count;
    return new Float32Array(bytes, at - 4 * count, count);
  };
  const levels = floats(levelCount);
  const reach = floats(dimensions);
  const hashes = new Uint32Array(bytes, at, rows);
  at += 4 * rows;
  const lengths = floats(rows);
  const packed = new Uint8Array(bytes, at);
  const add = (row: number, sum: Float32Array, share = 1): void => {
    const length = (lengths[row] as number) * share;
    let from = (row * dimensions) / 2;
    for (let i = 0; i < dimensions; i += 2) {
      const pair = packed[from++] as number;
      sum[i] = (sum[i] as number) + length * (levels[pair & 15] as number);
      sum[i + 1] = (sum[i + 1] as number) + length * (levels[pair >> 4] as number);
    }
  };
  const shortness = (row: number): number => Math.max(0, 2.5 - (lengths[row] ?? 0));
  const hashOf = (row: number): number => hashes[row] ?? 0;
  const scale = (sum: Float32Array): void => {
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) * (reach[i] ?? 0);
  };
  const fingerprint = hashBytes(new Uint8Array(bytes, 0, at));
  return ok({ dimensions, rows, fingerprint, rowOf: hashIndex(hashes), hashOf, shortness, add, scale });
}
