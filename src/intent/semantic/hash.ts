/** 32-bit hashes of words and of pieces of words. Pure; what is stored depends on them: a change is a new format. */

/** FNV-1a over UTF-16 units, with a last mix, so that all bits may be used as a slot. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

export function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Of an ordered pair; `salt` keeps kinds of features apart. */
export const joined = (first: number, second: number, salt: number): number =>
  mixed(Math.imul(first ^ salt, 0x9e3779b1) ^ second);

/** Of two neighbouring words in the word vectors. */
export const pairHash = (first: number, second: number): number => joined(first, second, 0x5eed);

/** Of bytes: tells damage, not malice. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return mixed(hash);
}
