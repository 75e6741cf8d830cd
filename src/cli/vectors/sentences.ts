/**
 * The sentences that word vectors are fitted on: everyday English of `src/cli/wishes/sentences`, and variants of it in which some words are
 * replaced by others of their kind, so that rare words are met in everyday sentences too. Pure, seeded.
 */
import { english } from "../../intent/semantic/background/en.ts";
import { wordsOf } from "../../intent/semantic/words.ts";
import { linesOf } from "../wishes/sentences.ts";
import { seededRandom } from "./seeded-random.ts";
import type { PartsOfSpeech } from "./wordnet.ts";

const folders = ["continues", "look-alikes", "refusals", "requests", "wishes"];
/** Files in English: named by the language, or by what they hold. */
const isEnglish = /\/(en(-.*)?|texts|arguments|everyday|greetings|others|phrases|requests)\.jsonl:/;
const isPlain = /^[\x20-\x7e’‘“”–—…£€é]{1,160}$/;

/** What users and assistants say in English, each sentence once. */
export function everydaySentences(): readonly string[] {
  const lines = folders.flatMap((folder) => linesOf(folder)).filter(({ place }) => isEnglish.test(place));
  const texts = lines.flatMap(({ line }) => {
    const { text, assistant } = JSON.parse(line) as { text: string; assistant?: string };
    return assistant === undefined ? [text] : [text, assistant];
  });
  return [...new Set([...english, ...texts.filter((text) => isPlain.test(text))])];
}

/** In fewer sentences a word is a name or a slip. */
const fewestSentences = 2;
const numbers = Array.from({ length: 101 }, (_, number) => `${number}`);

/** Words and numbers of these sentences: those of chats and screens are rare in the news that word lists are counted in. */
export function everydayWords(sentences: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences)
    for (const word of new Set(wordsOf(sentence))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const met = [...counts].filter(([word, count]) => count >= fewestSentences && /^[a-z0-9]+$/.test(word));
  return [...new Set([...met.map(([word]) => word), ...numbers])];
}

/** Words of closed classes, which no variant replaces. */
const closed = new Set(
  "the a an and or but not no is are was were be been am has have had do does did will would can could should may might must shall this that these those i you he she it we they me him her us them my your his its our their what which who whom whose where when why how all any some more most much many few other another each every both either neither none one two three four five six seven eight nine ten first last next new own same such than then there here now just also very too so if because while about after before with without for from into onto out over under off on in at by to of up down please yes get let make".split(
    " ",
  ),
);
const longestVaried = 110;
const mostReplaced = 3;

/** `rounds` variants of every sentence that is short enough, each once. @param frequent words by frequency, most frequent first. */
export function variantsOf(
  sentences: readonly string[],
  frequent: readonly string[],
  kindOf: (word: string) => string | undefined,
  rounds: number,
): readonly string[] {
  const open = frequent.filter((word) => /^[a-z]{3,}$/.test(word) && !closed.has(word));
  const byKind = Map.groupBy(open, kindOf);
  const random = seededRandom(20_260_102);
  // Skewed to the front.
  const pick = (list: readonly string[]) => list[Math.floor(random() ** 2 * list.length)] ?? "";
  const othersFor = (word: string) => {
    const kind = closed.has(word) ? undefined : kindOf(word);
    return kind === undefined ? undefined : byKind.get(kind);
  };
  const variantOf = (sentence: string): string => {
    const slots = [...sentence.matchAll(/[A-Za-z]+/g)].flatMap(({ index, 0: word }) => {
      const others = othersFor(word.toLowerCase());
      return others ? [{ index, end: index + word.length, others }] : [];
    });
    if (slots.length === 0) return sentence;
    const count = Math.min(slots.length, 1 + Math.floor(random() * mostReplaced));
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(Math.floor(random() * slots.length));
    return slots
      .filter((_, i) => chosen.has(i))
      .reduceRight((text, { index, end, others }) => text.slice(0, index) + pick(others) + text.slice(end), sentence);
  };
  const short = sentences.filter(({ length }) => length <= longestVaried);
  const variants = Array.from({ length: rounds }, () => short.map(variantOf)).flat();
  const known = new Set(sentences);
  return [...new Set(variants)].filter((variant) => !known.has(variant));
}

/** Part of speech and ending of a word: one may stand where another of its kind does. Undefined: of no open class, or not in `words`. */
export function kindsOf(words: ReadonlySet<string>, { noun, verb, adj }: PartsOfSpeech) {
  const isVerb = (stem: string) => verb.has(stem) || verb.has(`${stem}e`) || verb.has(stem.slice(0, -1));
  return (word: string): string | undefined => {
    if (!words.has(word) || word.length < 3) return undefined;
    if (noun.has(word)) return word.endsWith("ing") ? "nouning" : "noun";
    if (verb.has(word)) return "verb";
    if (adj.has(word)) return "adj";
    const singular = /[^s]s$/.test(word) ? word.slice(0, -1) : "";
    if (noun.has(singular)) return "nouns";
    if (verb.has(singular)) return "verbs";
    const [, stem, ending] = /^(.*)(ing|ed)$/.exec(word) ?? [];
    return stem !== undefined && isVerb(stem) ? `verb${ending}` : undefined;
  };
}
