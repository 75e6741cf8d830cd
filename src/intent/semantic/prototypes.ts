/** The examples that are kept, by class, to tell which is nearest. Pure. */
import type { Sample } from "./linear-head.ts";

/** The policy's first examples of each intent; more would tell little more, and make the model large. */
const perIntent = 24;

export interface Prototypes {
  /** Vectors of length 1 (or zero), one row a prototype; those of a class stand together. */
  readonly vectors: Float32Array;
  /** Class `c` has the rows `starts[c]` to `starts[c + 1]`. */
  readonly starts: Int32Array;
}

/** Row and cosine of the nearest prototype of a class; row -1 where it has none. */
export function nearestPrototype(
  { vectors, starts }: Prototypes,
  label: number,
  dense: Float32Array,
): [number, number] {
  const dimensions = dense.length;
  let best = -1;
  let cosine = -1;
  for (let row = starts[label] as number; row < (starts[label + 1] as number); row++) {
    const at = row * dimensions;
    let dot = 0;
    for (let i = 0; i < dimensions; i++) dot += (vectors[at + i] as number) * (dense[i] as number);
    if (dot > cosine) [best, cosine] = [row, dot];
  }
  return [best, best < 0 ? 0 : cosine];
}

/** @returns also which sample each row is. */
export function prototypesOf(
  samples: readonly Pick<Sample, "dense" | "label">[],
  intents: number,
): Prototypes & { readonly rows: readonly number[] } {
  const dimensions = samples[0]?.dense.length ?? 0;
  const rowsOf: number[][] = Array.from({ length: intents }, () => []);
  samples.forEach(({ label }, i) => {
    const rows = rowsOf[label];
    if (rows && rows.length < perIntent) rows.push(i);
  });
  const rows = rowsOf.flat();
  const starts = new Int32Array(intents + 1);
  rowsOf.forEach((of, label) => {
    starts[label + 1] = (starts[label] as number) + of.length;
  });
  const vectors = new Float32Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    vectors.set(samples[row]?.dense ?? [], at * dimensions);
  });
  return { vectors, starts, rows };
}
