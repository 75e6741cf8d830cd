/** A sentence that begins without a blank behind an address: "post it to www.example.com.They wait for it". Pure. */
import { lazyRegExp } from "../../../lib/once.ts";

/** A capital in the last label alone, and the sentence goes on: no domain is written so. */
const glued = lazyRegExp(
  String.raw`((?:https?://|\bwww\.|@)[\w-]{1,63}(?:\.[a-z\d-]{1,63}){0,8}\.[a-z]{2,})\.(?=[A-Z][a-z]{2,} [a-z])`,
  "g",
);

/** @param text the user's own words: in a text of somebody else this would cut an address into another one. */
export const withMissingBlanks = (text: string): string => (text.includes(".") ? text.replace(glued(), "$1. ") : text);
