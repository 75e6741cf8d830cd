/**
 * Things that people say to an assistant, about anything: the model learns that a policy's intents are not just words, nor a language. Made
 * by hand. Sentences near one of a policy's own texts are left out for it.
 */
import { german } from "./background/de.ts";
import { english } from "./background/en.ts";
import { spanish } from "./background/es.ts";
import { japanese } from "./background/ja.ts";
import { chinese } from "./background/zh.ts";

/** The asset that ships with the hand-made background. */
export interface Talk {
  /** Texts that ask for nothing: they show the words of an intent in a mere mention. */
  readonly statements: readonly string[];
  /** Texts that ask for something, about anything. */
  readonly requests: readonly string[];
}

export const NO_TALK: Talk = { statements: [], requests: [] };

export const background: readonly string[] = [...english, ...german, ...spanish, ...japanese, ...chinese];
