/**
 * A linear model as it ships: for each feature that it knows, a weight of four bits a label. The Worker reads its whole code at each
 * start, so the table is packed: sorted keys by their distance, in base64. Pure.
 */
import { hashIndex } from "../semantic/hash.ts";
import type { Features } from "./features.ts";

export interface LinearModelData {
  readonly labels: readonly string[];
  readonly bias: readonly number[];
  /** What the largest weight means. */
  readonly largest: number;
  /** Base64: the distances of the keys, in sevens of bits, then the weights, two to a byte. */
  readonly table: string;
  /** How many features there are. */
  readonly size: number;
}

/** Weights are steps from -7 to 7. */
export const LARGEST_STEP = 7;
const offset = LARGEST_STEP + 1;

export type LinearModel = (features: Features) => Float64Array;

/** @returns a function that gives the probability of each label. */
export function linearModel(data: LinearModelData): LinearModel {
  const sumsOf = linearSums(data);
  return (features) => toProbabilities(sumsOf(features).map((sum, label) => sum + (data.bias[label] ?? 0)));
}

/** @returns a function that gives the sum of the weights for each label, without its bias: sums of parts of a text add up. */
export function linearSums({ bias, largest, table, size }: LinearModelData): (features: Features) => Float64Array {
  const bytes = Uint8Array.from(atob(table), (character) => character.charCodeAt(0));
  const { keys, end } = readKeys(bytes, size);
  const labels = bias.length;
  const weights = new Float32Array(size * labels);
  for (let i = 0; i < weights.length; i += 1) {
    const pair = bytes[end + (i >> 1)] ?? 0;
    weights[i] = (((i % 2 === 0 ? pair & 15 : pair >> 4) - offset) * largest) / LARGEST_STEP;
  }
  const indexOf = hashIndex(keys);
  return (features) => {
    const sums = new Float64Array(labels);
    const { keys: present, values } = features;
    for (let i = 0; i < present.length; i += 1) {
      const row = indexOf(present[i] as number) * labels;
      if (row < 0) continue;
      const value = values[i] as number;
      for (let c = 0; c < labels; c += 1) sums[c] = (sums[c] as number) + (weights[row + c] as number) * value;
    }
    return sums;
  };
}

function readKeys(bytes: Uint8Array, size: number): { readonly keys: Uint32Array; readonly end: number } {
  const keys = new Uint32Array(size);
  let at = 0;
  let key = 0;
  for (let i = 0; i < size; i += 1) {
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      key += (byte & 127) << shift;
      if (byte < 128) break;
    }
    keys[i] = key;
  }
  return { keys, end: at };
}

/** The table of a model. @param rows sorted by key; of each the steps of its weights. */
export function packTable(rows: readonly (readonly [key: number, steps: readonly number[]])[]): string {
  const bytes: number[] = [];
  let before = 0;
  for (const [key] of rows) {
    let distance = key - before;
    for (; distance > 127; distance >>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance);
    before = key;
  }
  const halves = rows.flatMap(([, steps]) => steps.map((step) => step + offset));
  for (let i = 0; i < halves.length; i += 2) bytes.push((halves[i] ?? 0) | ((halves[i + 1] ?? 0) << 4));
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));
}

/** In place. */
export function toProbabilities(scores: Float64Array): Float64Array {
  const most = Math.max(...scores);
  let sum = 0;
  for (let i = 0; i < scores.length; i += 1) {
    const odds = Math.exp((scores[i] ?? 0) - most);
    scores[i] = odds;
    sum += odds;
  }
  for (let i = 0; i < scores.length; i += 1) scores[i] = (scores[i] ?? 0) / sum;
  return scores;
}
