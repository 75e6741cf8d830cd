/** The examples that are kept, by class, to tell which is nearest. Pure. */

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

export function prototypesOf(
  dense: readonly Float32Array[],
  labels: readonly number[],
  classes: number,
): Prototypes & { readonly rows: readonly number[] } {
  const dimensions = dense[0]?.length ?? 0;
  const starts = new Int32Array(classes + 1);
  const rows: number[] = [];
  for (let label = 0; label < classes; label++) {
    labels.forEach((of, i) => {
      if (of === label) rows.push(i);
    });
    starts[label + 1] = rows.length;
  }
  const vectors = new Float32Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    vectors.set(dense[row] ?? [], at * dimensions);
  });
  return { vectors, starts, rows };
}
