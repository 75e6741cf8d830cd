/** Text → what the model reads of it: a dense vector of its words' meaning, and its pieces, weighted. Pure but for its scratch space. */
import { hashText, pairHash } from "./hash.ts";
import { createPieces, cutPieces } from "./pieces.ts";
import { slotsOf } from "./slots.ts";
import type { WordVectors } from "./vectors.ts";
import { wordsOf } from "./words.ts";

export interface Vocabulary {
  readonly hashes: Uint32Array;
  /** How rare each piece is in the policy's texts. */
  readonly rarity: Float32Array;
  /** Of a piece that the policy has nowhere. */
  readonly unseen: number;
}

/** Valid until the encoder is used again. */
export interface Encoded {
  /** Of length 1, or all zero where no word is known. */
  readonly dense: Float32Array;
  readonly pieces: Int32Array;
  readonly values: Float32Array;
  /** How many of `pieces` and `values` are set. */
  count: number;
  /** Share of the text's pieces, by weight, that the policy has somewhere. */
  seen: number;
  /** Share of the words that have a vector. */
  known: number;
}

export function createEncoder(vocabulary: Vocabulary, vectors: WordVectors): (text: string) => Encoded {
  const { hashes, rarity, unseen } = vocabulary;
  const find = slotsOf(hashes);
  const cut = createPieces();
  const times = new Uint16Array(hashes.length);
  const out: Encoded = {
    dense: new Float32Array(vectors.dimensions),
    pieces: new Int32Array(cut.hashes.length),
    values: new Float32Array(cut.hashes.length),
    count: 0,
    seen: 0,
    known: 0,
  };

  /** Words and runs of characters are each brought to length 1, unseen pieces counted in: what is strange makes the rest weigh less. */
  const encodeGroup = (from: number, to: number): number => {
    const { pieces, values } = out;
    const first = out.count;
    let strange = 0;
    let at = first;
    for (let i = from; i < to; i++) {
      const piece = find(cut.hashes[i] as number);
      if (piece < 0) strange += unseen * unseen;
      else if ((times[piece] as number) === 0) {
        times[piece] = 1;
        pieces[at++] = piece;
      } else times[piece] = (times[piece] as number) + 1;
    }
    let seen = 0;
    for (let k = first; k < at; k++) {
      const piece = pieces[k] as number;
      const value = (1 + Math.log(times[piece] as number)) * (rarity[piece] as number);
      times[piece] = 0;
      values[k] = value;
      seen += value * value;
    }
    const shrink = 1 / Math.sqrt(seen + strange + 1e-9);
    for (let k = first; k < at; k++) values[k] = (values[k] as number) * shrink;
    out.count = at;
    return seen * shrink * shrink;
  };

  return (text) => {
    const words = wordsOf(text);
    cutPieces(words, cut);
    out.count = 0;
    out.seen = (encodeGroup(0, cut.words) + encodeGroup(cut.words, cut.total)) / 2;
    out.known = sumWords(words, vectors, out.dense) / Math.max(1, words.length);
    return out;
  };
}

/** Frequent neighbours have a vector of their own: "how much" is not what "how" and "much" say. 0 stands for the text's border. */
function addPair(vectors: WordVectors, first: number, second: number, dense: Float32Array): void {
  const row = vectors.rowOf(pairHash(first, second));
  if (row >= 0) vectors.add(row, dense);
}

/** Writes the direction of the words' sum; tells how many have a vector. */
export function sumWords(words: readonly string[], vectors: WordVectors, dense: Float32Array): number {
  dense.fill(0);
  let known = 0;
  let before = 0;
  for (const word of words) {
    const hash = hashText(word);
    const row = vectors.rowOf(hash);
    addPair(vectors, before, hash, dense);
    before = hash;
    if (row < 0) continue;
    known++;
    vectors.add(row, dense);
  }
  if (words.length > 0) addPair(vectors, before, 0, dense);
  vectors.scale(dense);
  let square = 0;
  for (const value of dense) square += value * value;
  const shrink = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < dense.length; i++) dense[i] = (dense[i] as number) * shrink;
  return known;
}
