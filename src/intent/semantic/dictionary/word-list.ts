/**
 * Words that are right although they have no vector, as a Bloom filter: 1 of 100 strange words passes as one of them. It keeps a rare
 * word from being corrected. Pure.
 *
 * | bytes | what |
 * |---|---|
 * | 4 × 4 | magic, version, fingerprint, bytes that follow |
 * | … | bits |
 */
import { err, ok, type Result } from "../../../lib/result.ts";
import { mixed } from "../hash.ts";

export const wordListMagic = 0x4c_57_47_54;
export const wordListVersion = 1;
export const wordListHeadBytes = 16;
const probes = 6;

export interface WordList {
  readonly fingerprint: number;
  /** @param hash of a word in lower case, by `hashText`. */
  has(hash: number): boolean;
}

export function readWordList(bytes: ArrayBuffer): Result<WordList, string> {
  if (bytes.byteLength < wordListHeadBytes) return err("the word list is cut off");
  const [magic, version, fingerprint = 0, length = 0] = new Uint32Array(bytes, 0, 4);
  if (magic !== wordListMagic || version !== wordListVersion) return err("this is no word list of this version");
  if (length < 1 || bytes.byteLength !== wordListHeadBytes + length) return err("the word list has another length");
  const bits = new Uint8Array(bytes, wordListHeadBytes);
  const isSet = (bit: number) => (((bits[bit >>> 3] as number) >> (bit & 7)) & 1) === 1;
  return ok({ fingerprint, has: (hash) => bitsOf(hash, length).every(isSet) });
}

/** The bits of a word in a list of `bytes` bytes. */
export function bitsOf(hash: number, bytes: number): readonly number[] {
  const step = mixed(hash ^ 0x51ed) | 1;
  return Array.from({ length: probes }, (_, i) => ((hash + Math.imul(i, step)) >>> 0) % (bytes * 8));
}
