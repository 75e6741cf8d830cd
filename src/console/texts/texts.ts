/** The page's language and its texts: the first of the browser's languages that the console has. */

import type { Language } from "../../lib/text/languages.ts";
import { agoText, dateText, durationText } from "../../lib/text/time-text.ts";
import type { Texts } from "./en.ts";
import { en } from "./en.ts";
import { ja } from "./ja.ts";
import { zh } from "./zh.ts";

/** Languages of the pages; descriptions of calls come in more. */
type ConsoleLanguage = "en" | "zh" | "ja";

const all: Readonly<Record<ConsoleLanguage, Texts>> = { en, zh, ja };

export const language: ConsoleLanguage = chosenOf(["en", "zh", "ja"]);
export const texts: Texts = all[language];

/** A page's own texts, loaded with its script. Each language has the same texts as English. */
export const textsIn = <T>(all: { readonly en: T; readonly zh: NoInfer<T>; readonly ja: NoInfer<T> }): T =>
  all[language];

/** The first of the browser's languages that is available, else English. */
export function chosenOf<L extends Language>(those: readonly L[]): L | "en" {
  for (const tag of navigator.languages) {
    const primary = tag.toLowerCase().split("-")[0];
    const found = those.find((one) => one === primary);
    if (found !== undefined) return found;
  }
  return "en";
}

export const duration = (ms: number): string => durationText(ms, language);
export const ago = (ms: number): string => agoText(ms, language);
export const when = (iso: string): string => dateText(Date.parse(iso), language);

const numbers = new Intl.NumberFormat(language);
const percents = new Intl.NumberFormat(language, { style: "percent" });

/** Formats in the page's language, which may differ from the browser's. */
export const number = (value: number): string => numbers.format(value);
export const percent = (share: number): string => percents.format(share);
