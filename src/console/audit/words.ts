/** Texts for the names and values of filters; the address and the API use the codes. */
import { when } from "../texts/texts.ts";
import { effectWords, eventWords, reasonWords, stopWords } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

export const nameWords = (name: string): string =>
  (texts.filterNames as Readonly<Record<string, string>>)[name] ?? name;

/** The value itself if it is no time. */
function timeWords(value: string): string {
  return value.includes("T") && !Number.isNaN(Date.parse(value)) ? when(value) : value;
}

const WORDS: Readonly<Record<string, (value: string) => string>> = {
  effect: effectWords,
  event: eventWords,
  reason: reasonWords,
  stop_reason: stopWords,
  from: timeWords,
  to: timeWords,
};

export const valueWords = (name: string, value: string): string => WORDS[name]?.(value) ?? value;
