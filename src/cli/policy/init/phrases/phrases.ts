/**
 * Sentences by which people ask for what a tool does, in five languages. Pure.
 *
 * A sentence may have slots: `{the}`, `{a}`, `{my}` and `{n}` for the thing, with the article that the language wants and without one,
 * `{all}` for its plural, in German `{nom}`, `{mynom}` and `{dat}` (`nouns.ts`); `{id}`, `{sku}`, `{code}`, `{date}` and `{who}`.
 * A language leaves out sentences about a thing that it has no word for.
 */
import type { Act } from "./acts.ts";
import { chinese } from "./chinese.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";
import { japanese } from "./japanese.ts";
import type { Language } from "./nouns.ts";
import { type NounForms, nounForms } from "./nouns.ts";
import type { Phrases } from "./phrase-forms.ts";
import { spanish } from "./spanish.ts";

const phrases: Readonly<Record<Language, Phrases>> = {
  en: english,
  de: german,
  es: spanish,
  zh: chinese,
  ja: japanese,
};
export const languages: readonly Language[] = ["en", "de", "es", "zh", "ja"];

/** @param nouns the things that the tool works on, in English: most sentences use the first. */
export function sentencesFor(act: Act, nouns: readonly string[], language: Language): readonly string[] {
  const { ids, dates, people, acts } = phrases[language];
  const forms = nouns.map((noun) => nounForms(noun, language)).filter((one) => one !== undefined);
  const frames = acts[act].split("|").map((frame) => frame.trim());
  return frames.flatMap((frame, at) => {
    const noun = forms[at % 2 === 0 ? 0 : Math.floor(at / 2) % Math.max(1, forms.length)];
    const goods = { sku: cycle(SKUS, at), code: cycle(CODES, at) };
    const values = { ...goods, id: cycle(ids, at), date: cycle(dates, at), who: cycle(people, at) };
    const sentence = filled(frame, { ...noun, ...values });
    return sentence === undefined ? [] : [contracted(sentence, language)];
  });
}

/** Shops' item numbers and codes, the same in every language. */
const SKUS = ["VASE-4", "RUG-GREY", "A-1180", "CHAIR-12", "SOFA-3", "MUG-BLUE", "SKU804"];
const CODES = ["SPRING20", "WELCOME", "VIP-30", "XMAS5", "HELLO10"];

/** "Im" for "in dem", "al" for "a el". */
function contracted(sentence: string, language: Language): string {
  const pairs = CONTRACTIONS[language] ?? [];
  return pairs.reduce((text, [words, one]) => text.replace(words, `$1${one}`), sentence);
}
const CONTRACTIONS: Readonly<Partial<Record<Language, readonly (readonly [words: RegExp, one: string])[]>>> = {
  de: [
    [/(^|\s)in dem(?=\s)/g, "im"],
    [/(^|\s)von dem(?=\s)/g, "vom"],
    [/(^|\s)zu dem(?=\s)/g, "zum"],
    [/(^|\s)zu der(?=\s)/g, "zur"],
  ],
  es: [
    [/(^|\s)a el(?=\s)/g, "al"],
    [/(^|\s)de el(?=\s)/g, "del"],
  ],
};

const cycle = (values: readonly string[], at: number): string => values[at % values.length] ?? "";

type Slots = Partial<NounForms> & Readonly<Record<"id" | "sku" | "code" | "date" | "who", string>>;

function filled(frame: string, slots: Slots): string | undefined {
  const values = new Map(Object.entries(slots));
  const isFull = [...frame.matchAll(SLOT)].every(([, slot = ""]) => values.has(slot));
  return isFull ? frame.replaceAll(SLOT, (_, slot: string) => values.get(slot) ?? "") : undefined;
}
const SLOT = /\{([a-z]+)\}/g;
