/** 32-bit hashes of words and of pieces of words. Pure; what is stored depends on them: a change is a new format. */

const seed = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a, over UTF-16 units or bytes. */
const addUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, prime);

export function hashText(text: string): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = addUnit(hash, text.charCodeAt(i));
  return mixed(hash);
}

/** Adds the hashes of all runs of `shortest` to `longest` units that begin at `start`. */
export function addPrefixHashes(text: string, start: number, shortest: number, longest: number, out: number[]): void {
  let hash = seed;
  for (let i = start; i < text.length && i < start + longest; i++) {
    hash = addUnit(hash, text.charCodeAt(i));
    if (i - start + 1 >= shortest) out.push(mixed(hash));
  }
}

/** Spreads what differs over all bits. */
export function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Hash of two neighbouring words. @param salt keeps kinds of features apart. */
export const pairHash = (first: number, second: number, salt = 0x5eed): number =>
  mixed(Math.imul(first ^ salt, 0x9e3779b1) ^ second);

/** A checksum: it shows damage, not malice. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = seed;
  for (let i = 0; i < bytes.length; i++) hash = addUnit(hash, bytes[i] as number);
  return mixed(hash);
}

/** Index of a hash in an ascending list, or -1. */
export function indexOfHash(hashes: Uint32Array, hash: number): number {
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hashes[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? low : -1;
}
