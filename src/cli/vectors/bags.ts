/** Texts as bags of words and of frequent neighbours, the way the encoder reads them. Pure. */
import { hashText, pairHash } from "../../intent/semantic/hash.ts";
import { wordsOf } from "../../intent/semantic/words.ts";

/** Row `i` holds the columns `columns[starts[i]]` to `columns[starts[i + 1]]`, each with the weight `weights[i]`. */
export interface Bags {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly weights: Float64Array;
}

/** The hash of every word and its neighbour, in order; the border of the text counts as 0. */
export function hashesOf(text: string): { words: number[]; pairs: number[] } {
  const words = wordsOf(text).map(hashText);
  const pairs = words.map((hash, i) => pairHash(words[i - 1] ?? 0, hash));
  if (words.length > 0) pairs.push(pairHash(words.at(-1) ?? 0, 0));
  return { words, pairs };
}

/** Hashes of pairs of known words that are met at least so often, the most frequent first. */
export function frequentPairs(texts: readonly string[], known: ReadonlySet<number>, least: number): number[] {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const { words, pairs } = hashesOf(text);
    pairs.forEach((pair, i) => {
      const [first, second] = [words[i - 1], words[i]];
      const ordinary = (first === undefined || known.has(first)) && (second === undefined || known.has(second));
      if (ordinary) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    });
  }
  const frequent = [...counts].filter(([, count]) => count >= least);
  return frequent.sort(([a, m], [b, n]) => n - m || a - b).map(([pair]) => pair);
}

/** Sums are divided by the root of the number of known words: a sentence's vector is about as long as a word's. */
export function bagsOf(texts: readonly string[], columnOf: ReadonlyMap<number, number>): Bags {
  const starts = new Int32Array(texts.length + 1);
  const weights = new Float64Array(texts.length);
  const columns: number[] = [];
  texts.forEach((text, i) => {
    const { words, pairs } = hashesOf(text);
    const met = words.flatMap((hash) => columnOf.get(hash) ?? []);
    weights[i] = 1 / Math.sqrt(Math.max(1, met.length));
    columns.push(...met, ...pairs.flatMap((hash) => columnOf.get(hash) ?? []));
    starts[i + 1] = columns.length;
  });
  return { starts, columns: Int32Array.from(columns), weights };
}
