/** A linear model as it ships: for each feature it knows one small weight a label, in a base64 table. Pure. */
import { hashIndex } from "../semantic/hash.ts";
import type { Features } from "./features.ts";

export interface LinearModelData {
  readonly labels: readonly string[];
  readonly bias: readonly number[];
  /** What a weight of one in the table means. */
  readonly scale: number;
  /** Base64: for each feature `KEY_BYTES` of its hash, then a signed byte for each label. */
  readonly table: string;
}

/** The upper bytes of a hash, little-endian. Of some thousand features, one in ten thousand unknown ones is taken for a known one. */
export const KEY_BYTES = 3;
export const keyOf = (hash: number): number => hash >>> 8;

export type LinearModel = (features: Features) => Float64Array;

/** @returns a function that gives the probability of each label. */
export function linearModel({ bias, scale, table }: LinearModelData): LinearModel {
  const bytes = Uint8Array.from(atob(table), (character) => character.charCodeAt(0));
  const count = bias.length;
  const row = KEY_BYTES + count;
  const keys = new Uint32Array(bytes.length / row);
  const weights = new Int8Array(keys.length * count);
  keys.forEach((_, i) => {
    const [low = 0, middle = 0, high = 0] = bytes.subarray(i * row, i * row + KEY_BYTES);
    keys[i] = low | (middle << 8) | (high << 16);
    weights.set(bytes.subarray(i * row + KEY_BYTES, (i + 1) * row), i * count);
  });
  const indexOf = hashIndex(keys);
  return ({ hashes, values }) => {
    const scores = new Float64Array(count);
    for (let i = 0; i < hashes.length; i += 1) {
      const index = indexOf(keyOf(hashes[i] as number));
      if (index < 0) continue;
      const value = (values[i] as number) * scale;
      for (let c = 0; c < count; c += 1)
        scores[c] = (scores[c] as number) + (weights[index * count + c] as number) * value;
    }
    for (let c = 0; c < count; c += 1) scores[c] = (scores[c] as number) + (bias[c] as number);
    return toProbabilities(scores);
  };
}

/** In place. */
export function toProbabilities(scores: Float64Array): Float64Array {
  const most = Math.max(...scores);
  let sum = 0;
  for (let i = 0; i < scores.length; i += 1) sum += scores[i] = Math.exp((scores[i] as number) - most);
  for (let i = 0; i < scores.length; i += 1) scores[i] = (scores[i] as number) / sum;
  return scores;
}
