/** The words of a language. */
import type { Language } from "../disclosed.ts";
import { en } from "./en.ts";
import type { Words } from "./words.ts";

const all: Readonly<Record<Language, Words>> = { en, zh: en, ja: en };

export const wordsOf = (language: Language): Words => all[language];
