/** The gateway's own words to people, by language. Pure. */
import { scriptOf, scripts } from "../../intent/lexical/script.ts";
import type { Language } from "../../lib/text/languages.ts";
import { en, type Words } from "./en.ts";
import { ja } from "./ja.ts";
import { zh } from "./zh.ts";

export type { Words };

const byLanguage: Readonly<Record<Language, Words>> = { en, zh, ja };

export const wordsOf = (language: Language): Words => byLanguage[language];

/** A text with values in its `{places}`; a value is never filled in turn. */
export const fillWords = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "") : place));

/** UTF-16 units of a message that are read for its language. */
const MAX_READ = 4_000;

/**
 * `auto`: the language of the user's message, by its script. Kana is Japanese's alone; Han without kana is read as Chinese; all
 * other writing gets English.
 */
export function languageOf(setting: "auto" | Language, userText: string): Language {
  if (setting !== "auto") return setting;
  let language: Language = "en";
  for (let at = 0; at < Math.min(userText.length, MAX_READ); at += 1) {
    const script = scriptOf(userText.charCodeAt(at));
    if (script === scripts.hiragana || script === scripts.katakana) return "ja";
    if (script === scripts.han) language = "zh";
  }
  return language;
}
