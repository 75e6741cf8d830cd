/** The sentences that word vectors are fitted on: WordNet's usage examples, and requests of a small grammar filled with its words. Pure, seeded. */
import { participle, progressive } from "./inflect.ts";
import { generator } from "./random.ts";
import { cores } from "./request-cores.ts";
import { frames } from "./request-frames.ts";
import { endings, openings } from "./request-grammar.ts";

export interface Lexicon {
  /** By frequency, most frequent first. */
  readonly words: readonly string[];
  readonly nouns: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
  readonly adjectives: ReadonlySet<string>;
  readonly examples: readonly string[];
}

/** `count` sentences, each once; the same for the same arguments. */
export function* requests(lexicon: Lexicon, count: number): Generator<string> {
  const random = generator(20_260_101);
  const nouns = lexicon.words.filter((word) => lexicon.nouns.has(word));
  // Base forms only: WordNet lists no others, but for a few that are adjectives or nouns too.
  const verbs = lexicon.words.filter((word) => lexicon.verbs.has(word) && !/(ed|ing)$/.test(word));
  const adjectives = lexicon.words.filter((word) => lexicon.adjectives.has(word));
  // Skewed to the front: the rank is a power of a uniform number.
  const pick = (list: readonly string[], skew: number) => list[Math.floor(random() ** skew * list.length)] ?? "";
  const noun = () => `${random() < 0.12 ? `${pick(nouns, 2)} ` : ""}${pick(nouns, 2)}`;
  const fill: Readonly<Record<string, () => string>> = {
    n: noun,
    m: noun,
    v: () => pick(verbs, 2.5),
    d: () => participle(pick(verbs, 2.5)),
    g: () => progressive(pick(verbs, 2.5)),
    a: () => pick(adjectives, 2),
  };
  yield* filled(count, () => `${pick(openings, 1)}${pick(cores, 1)}${pick(endings, 1)}`, fill);
}

/** Short requests, and WordNet's examples among them. */
export function* framed(lexicon: Lexicon, count: number): Generator<string> {
  const random = generator(20_260_101);
  const pick = (list: readonly string[]) => list[Math.floor(random() ** 2.2 * list.length)] ?? "";
  const [nouns, verbs, adjectives] = [lexicon.nouns, lexicon.verbs, lexicon.adjectives].map((part) =>
    lexicon.words.filter((word) => part.has(word)),
  ) as [string[], string[], string[]];
  const fill: Readonly<Record<string, () => string>> = {
    n: () => pick(nouns),
    m: () => pick(nouns),
    v: () => pick(verbs),
    a: () => pick(adjectives),
    e: () => lexicon.examples[Math.floor(random() * lexicon.examples.length)] ?? "",
  };
  yield* filled(count, () => frames[Math.floor(random() * frames.length)] ?? "", fill);
}

function* filled(count: number, frame: () => string, fill: Readonly<Record<string, () => string>>): Generator<string> {
  const seen = new Set<string>();
  while (seen.size < count) {
    const text = frame().replaceAll(/\{(\w)\}/g, (_, slot: string) => fill[slot]?.() ?? "");
    if (seen.has(text)) continue;
    seen.add(text);
    yield text;
  }
}
