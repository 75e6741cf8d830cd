/** The gateway's own words to people, by language. Pure. */
import type { Language } from "../../lib/text/languages.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import { zh } from "./zh.ts";

/** No line may break before a sign: it would begin the next line. U+202F before `?`, `!` and `;`, U+00A0 before a colon and inside quotation marks. */
const withSpaces = (text: string): string =>
  text
    .replace(/ (?=[?!;])/g, "\u202f")
    .replace(/ (?=[:»])/g, "\u00a0")
    .replace(/(?<=«) /g, "\u00a0");

/** @returns a table of texts of the same shape. */
function withFrenchSpaces<T>(texts: T): T {
  if (typeof texts === "string") return withSpaces(texts) as T;
  if (Array.isArray(texts)) return texts.map((text: unknown) => withFrenchSpaces(text)) as T;
  if (typeof texts !== "object" || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, withFrenchSpaces(text)])) as T;
}

export type { Words };

const byLanguage: Readonly<Record<Language, Words>> = { en, zh, ja, de, es, fr: withFrenchSpaces(fr), ko };

export const wordsOf = (language: Language): Words => byLanguage[language];

/** A text with values in its `{places}`; a value is never filled in turn. */
export const fillWords = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "") : place));

/** Sentences in a row. A Japanese one needs no blank after it, but the policy may have written it in English. */
export const joinSentences = (sentences: readonly string[], { sentence: { space } }: Words): string =>
  sentences
    .filter((one) => one !== "")
    .reduce((text, one) => `${text}${text === "" ? "" : /[\x21-\x7e]$/.test(text) ? " " : space}${one}`, "");

/** For so many lines that are not shown. */
export const moreLinesText = (count: number, words: Words): string =>
  count === 1 ? words.moreLine : fillWords(words.moreLines, { count: String(count) });
