/**
 * The sentences that word vectors are fitted on: WordNet's usage examples, and requests of a small grammar filled with its words.
 * `requests.json` has the grammar, made by hand: `{n}` and `{m}` are nouns, `{v}` a verb, `{d}` a past participle, `{g}` a verb with
 * -ing, `{a}` an adjective, `{e}` a usage example. Pure, seeded.
 */

import grammar from "./requests.json" with { type: "json" };
import { seededRandom } from "./seeded-random.ts";

const { cores, frames } = grammar;
/** Many requests have neither an opening nor an ending. */
const openings = [...Array<string>(12).fill(""), ...grammar.openings];
const endings = [...Array<string>(14).fill(""), ...grammar.endings];

interface Lexicon {
  /** By frequency, most frequent first. */
  readonly words: readonly string[];
  readonly nouns: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
  readonly adjectives: ReadonlySet<string>;
  readonly examples: readonly string[];
}

/** `count` sentences, each once; the same for the same arguments. */
export function* requests(lexicon: Lexicon, count: number): Generator<string> {
  const random = seededRandom(20_260_101);
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
  const random = seededRandom(20_260_101);
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

/** The past participles of the commonest irregular verbs. */
const participles: Readonly<Record<string, string>> = Object.fromEntries(
  "be been,have had,do done,go gone,get gotten,make made,take taken,give given,find found,tell told,put put,set set,send sent,spend spent,buy bought,sell sold,pay paid,lose lost,break broken,steal stolen,write written,read read,know known,see seen,hear heard,keep kept,leave left,let let,lend lent,mean meant,meet met,run run,say said,show shown,speak spoken,stand stood,think thought,understand understood,win won,wear worn,drive driven,eat eaten,drink drunk,fly flown,forget forgotten,grow grown,hide hidden,hold held,hurt hurt,build built,bring brought,catch caught,choose chosen,come come,cost cost,cut cut,draw drawn,fall fallen,feel felt,fight fought,freeze frozen,hit hit,lead led,learn learned,ride ridden,ring rung,rise risen,sing sung,sit sat,sleep slept,swim swum,teach taught,throw thrown,wake woken,begin begun,bet bet,bite bitten,blow blown,burn burned,shut shut,split split,spread spread,quit quit"
    .split(",")
    .map((pair) => pair.split(" ")),
);

const doubles = (verb: string) => /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb);

function participle(verb: string): string {
  if (Object.hasOwn(participles, verb)) return participles[verb] ?? verb;
  if (verb.endsWith("e")) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return doubles(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

function progressive(verb: string): string {
  if (verb.endsWith("ie")) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return doubles(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}
