/** The words of a language. */
import type { Language } from "../disclosure/disclosed.ts";
import { en } from "./en.ts";
import { ja } from "./ja.ts";
import type { Words } from "./words.ts";
import { zh } from "./zh.ts";

const all: Readonly<Record<Language, Words>> = { en, zh, ja };

export const wordsOf = (language: Language): Words => all[language];
