/** 32-bit hashes of words and of pieces of words. Pure; what is stored depends on them: a change is a new format. */

/** The state before the first unit. The hash of a text is `mixed` of the state behind its last unit. */
export const seed = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a, over UTF-16 units or bytes. */
export const addUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, prime);

export function hashText(text: string): number {
  return mixed(addUnits(seed, text, 0));
}

/** The state behind the units of `text` from `from` on. */
export function addUnits(state: number, text: string, from: number): number {
  let hash = state;
  for (let i = from; i < text.length; i++) hash = addUnit(hash, text.charCodeAt(i));
  return hash;
}

/** Calls `add` with the hashes of all runs of `shortest` to `longest` units that begin at `start`. */
export function addPrefixHashes(
  text: string,
  start: number,
  shortest: number,
  longest: number,
  add: (hash: number) => void,
): void {
  let hash = seed;
  for (let i = start; i < text.length && i < start + longest; i++) {
    hash = addUnit(hash, text.charCodeAt(i));
    if (i - start + 1 >= shortest) add(mixed(hash));
  }
}

/** Spreads differences over all bits. */
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

/**
 * Finds the index of a hash in `hashes`, or -1. A hash table with open addressing, at most half full: a message needs some hundred
 * look-ups, and a binary search would take longer than all the rest of its classification.
 */
export function hashIndex(hashes: Uint32Array): (hash: number) => number {
  const mask = 2 ** Math.ceil(Math.log2(hashes.length * 2 + 2)) - 1;
  const slots = new Int32Array(mask + 1);
  const slotOf = (hash: number): number => {
    let slot = hash & mask;
    while (slots[slot] !== 0 && hashes[(slots[slot] as number) - 1] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  for (let i = 0; i < hashes.length; i++) slots[slotOf(hashes[i] as number)] = i + 1;
  return (hash) => (slots[slotOf(hash)] as number) - 1;
}
