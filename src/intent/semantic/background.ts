/**
 * What people say to an assistant, about anything: the model learns that a policy's intents are not just words, nor a language. Made
 * by hand; of each policy those that are near one of its own texts are left out.
 */
import { german } from "./background/de.ts";
import { english } from "./background/en.ts";
import { spanish } from "./background/es.ts";
import { japanese } from "./background/ja.ts";
import { chinese } from "./background/zh.ts";

/** What ships as an asset beside the hand-made background. */
export interface Talk {
  /** Ask for nothing: what words of an intent look like in a mere mention. */
  readonly statements: readonly string[];
  /** Ask for something, about anything. */
  readonly requests: readonly string[];
}

export const NO_TALK: Talk = { statements: [], requests: [] };

export const background: readonly string[] = [...english, ...german, ...spanish, ...japanese, ...chinese];
