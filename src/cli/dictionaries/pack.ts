/** Words and their rows → the asset's bytes, as `src/intent/semantic/dictionary` reads them. Pure. */
import {
  dictionaryHeadBytes,
  dictionaryMagic,
  dictionaryVersion,
  noRow,
  rowsAWord,
} from "../../intent/semantic/dictionary/dictionary.ts";
import {
  bitsOf,
  wordListHeadBytes,
  wordListMagic,
  wordListVersion,
} from "../../intent/semantic/dictionary/word-list.ts";
import { hashBytes } from "../../intent/semantic/hash.ts";

/**
 * @param words rows by the word's hash.
 * @param extras hashes of English words without a vector, numbered after the rows.
 * @param pairs traditional character → simplified character.
 * @param vectors fingerprint of the vectors.
 */
export function packDictionary(
  words: ReadonlyMap<number, readonly number[]>,
  extras: readonly number[],
  pairs: ReadonlyMap<string, string>,
  vectors: number,
): Uint8Array<ArrayBuffer> {
  const order = [...words].sort(([a], [b]) => a - b);
  const bytes = new Uint8Array(
    dictionaryHeadBytes + order.length * (4 + 2 * rowsAWord) + (pairs.size + extras.length) * 4,
  );
  const hashes = new Uint32Array(bytes.buffer, dictionaryHeadBytes, order.length);
  new Uint32Array(bytes.buffer, dictionaryHeadBytes + 4 * order.length, extras.length).set(extras);
  const rowsAt = dictionaryHeadBytes + 4 * (order.length + extras.length);
  const rows = new Uint16Array(bytes.buffer, rowsAt, order.length * rowsAWord);
  hashes.set(order.map(([hash]) => hash));
  rows.set(order.flatMap(([, of]) => Array.from({ length: rowsAWord }, (_, i) => of[i] ?? noRow)));
  const characters = new Uint16Array(bytes.buffer, rowsAt + rows.byteLength, pairs.size * 2);
  characters.set([...pairs.keys(), ...pairs.values()].map((character) => character.charCodeAt(0)));
  const fingerprint = hashBytes(bytes.subarray(dictionaryHeadBytes));
  new Uint32Array(bytes.buffer, 0, 7).set([
    dictionaryMagic,
    dictionaryVersion,
    vectors,
    fingerprint,
    order.length,
    pairs.size,
    extras.length,
  ]);
  return bytes;
}

const bitsAWord = 10;

export function packWordList(hashes: readonly number[]): Uint8Array<ArrayBuffer> {
  const length = Math.ceil((hashes.length * bitsAWord) / 8);
  const bytes = new Uint8Array(wordListHeadBytes + length);
  const bits = bytes.subarray(wordListHeadBytes);
  for (const hash of hashes)
    for (const bit of bitsOf(hash, length)) bits[bit >>> 3] = (bits[bit >>> 3] as number) | (1 << (bit & 7));
  new Uint32Array(bytes.buffer, 0, 4).set([wordListMagic, wordListVersion, hashBytes(bits), length]);
  return bytes;
}
