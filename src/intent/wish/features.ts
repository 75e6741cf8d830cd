/** Features of a linear model: keys with values. Pure. */
import { pairHash } from "../semantic/hash.ts";

export interface Features {
  /** The upper bits of a hash. With some thousand features, one in a hundred unknown ones is taken for a known one. */
  readonly keys: number[];
  readonly values: number[];
}

export const noFeatures = (): Features => ({ keys: [], values: [] });

export function addFeature({ keys, values }: Features, slot: number, content: number, value = 1): void {
  keys.push(pairHash(content, slot, 0x3a7f) >>> 12);
  values.push(value);
}

/** One feature for each of the first 1, 2, … `longest` hashes from `start` on, in the direction of `step`. */
export function addChain(
  features: Features,
  slot: number,
  hashes: readonly number[],
  start: number,
  step: 1 | -1,
  stop: number,
  longest: number,
): void {
  let chain = slot;
  for (let i = start, n = 0; n < longest && i !== stop; i += step, n += 1) {
    chain = pairHash(chain, hashes[i] as number);
    addFeature(features, slot + n, chain);
  }
}

/** One feature for each run of up to `longest` hashes between `start` and `stop`. */
export function addRuns(
  features: Features,
  slot: number,
  hashes: readonly number[],
  start: number,
  stop: number,
  longest: number,
  value: number,
): void {
  for (let i = start; i < stop; i += 1) {
    let run = slot;
    for (let n = 0; n < longest && i + n < stop; n += 1) {
      run = pairHash(run, hashes[i + n] as number);
      addFeature(features, slot, run, value);
    }
  }
}

/** To unit length, so that a long text weighs as much as a short one. */
export function normalise({ values }: Features): void {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += (values[i] as number) ** 2;
  const factor = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let i = 0; i < values.length; i += 1) values[i] = (values[i] as number) * factor;
}

/** A count as one of a few sizes. */
export function bucket(count: number): number {
  if (count < 3) return count;
  if (count < 6) return 4;
  if (count < 11) return 8;
  return count < 21 ? 16 : 32;
}
