/** Sorts texts into groups of like meaning (k-means on the sphere). Pure, deterministic. */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import { dot } from "./classifier.ts";
import type { TextFeatures } from "./encoder.ts";
import { textsOfSlice } from "./learn.ts";

const rounds = 8;

/** The group of each text, from 0 on. */
export function* groupsOf(
  texts: readonly string[],
  encode: (text: string) => TextFeatures,
  count: number,
): CooperativeTask<readonly number[]> {
  const meanings: Float32Array[] = [];
  for (const text of texts) {
    meanings.push(encode(text).dense);
    if (meanings.length % textsOfSlice === 0) yield;
  }
  let centers = Array.from(
    { length: Math.min(count, texts.length) },
    (_, i) => meanings[Math.floor(((i + 0.5) * texts.length) / count)] as Float32Array,
  );
  let groups: readonly number[] = [];
  for (let round = 0; round < rounds; round++) {
    groups = meanings.map((meaning) => nearestOf(centers, meaning));
    centers = centers.map((center, group) =>
      meanOf(
        meanings.filter((_, i) => groups[i] === group),
        center,
      ),
    );
    yield;
  }
  return groups;
}

function nearestOf(centers: readonly Float32Array[], meaning: Float32Array): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  centers.forEach((center, i) => {
    const cosine = dot(center, meaning);
    if (cosine > most) [best, most] = [i, cosine];
  });
  return best;
}

/** The direction of the sum; unchanged if there is none. */
function meanOf(all: readonly Float32Array[], before: Float32Array): Float32Array {
  const sum = new Float32Array(before.length);
  for (const one of all) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (one[i] as number);
  const length = Math.sqrt(dot(sum, sum));
  return length > 0 ? sum.map((value) => value / length) : before;
}
