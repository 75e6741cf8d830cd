/** Which pieces a policy's texts hold, and how rare each is. Pure. */
import type { Vocabulary } from "./encoder.ts";
import { createPieces, cutPieces } from "./pieces.ts";
import { wordsOf } from "./words.ts";

export interface CountedVocabulary {
  readonly hashes: Uint32Array;
  /** In how many texts each piece is. */
  readonly texts: Uint16Array;
  /** Of how many. */
  readonly total: number;
}

export function countPieces(texts: readonly string[]): CountedVocabulary {
  const counts = new Map<number, number>();
  const pieces = createPieces();
  for (const text of texts) {
    cutPieces(wordsOf(text), pieces);
    for (const hash of new Set(pieces.hashes.subarray(0, pieces.total))) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return {
    hashes: Uint32Array.from(sorted, ([hash]) => hash),
    texts: Uint16Array.from(sorted, ([, count]) => Math.min(count, 0xffff)),
    total: texts.length,
  };
}

export function toVocabulary({ hashes, texts, total }: CountedVocabulary): Vocabulary {
  const rarity = (count: number) => Math.log((1 + total) / (1 + count)) + 1;
  return { hashes, rarity: Float32Array.from(texts, rarity), unseen: rarity(0) };
}
