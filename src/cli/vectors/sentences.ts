/** The sentences that word vectors are fitted on: WordNet's usage examples, and frames filled with its words. Pure, seeded. */
import { frames } from "./request-frames.ts";

export interface Lexicon {
  /** By frequency, most frequent first. */
  readonly words: readonly string[];
  readonly nouns: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
  readonly adjectives: ReadonlySet<string>;
  readonly examples: readonly string[];
}

/** `count` sentences, each once; the same for the same arguments. Frequent words come more often, rare ones too seldom to be fitted without this. */
export function* sentences(lexicon: Lexicon, count: number): Generator<string> {
  const random = generator(20_260_101);
  const nouns = lexicon.words.filter((word) => lexicon.nouns.has(word));
  const verbs = lexicon.words.filter((word) => lexicon.verbs.has(word));
  const adjectives = lexicon.words.filter((word) => lexicon.adjectives.has(word));
  // Skewed to the front: the rank is a power of a uniform number.
  const pick = (list: readonly string[]) => list[Math.floor(random() ** 2.2 * list.length)] ?? "";
  const fill: Record<string, () => string> = {
    n: () => pick(nouns),
    m: () => pick(nouns),
    v: () => pick(verbs),
    a: () => pick(adjectives),
    e: () => lexicon.examples[Math.floor(random() * lexicon.examples.length)] ?? "",
  };
  const seen = new Set<string>();
  while (seen.size < count) {
    const frame = frames[Math.floor(random() * frames.length)] ?? "";
    const text = frame.replaceAll(/\{(\w)\}/g, (_, slot: string) => fill[slot]?.() ?? "");
    if (seen.has(text)) continue;
    seen.add(text);
    yield text;
  }
}

/** Mulberry32: uniform in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
