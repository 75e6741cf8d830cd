/**
 * What people say to an assistant, about anything: the model learns that a policy's intents are not just words, nor a language. Made
 * by hand; of each policy those that are near one of its own texts are left out.
 */
import { german } from "./background/de.ts";
import { english } from "./background/en.ts";
import { spanish } from "./background/es.ts";
import { japanese } from "./background/ja.ts";
import { chinese } from "./background/zh.ts";

export const background: readonly string[] = [...english, ...german, ...spanish, ...japanese, ...chinese];
