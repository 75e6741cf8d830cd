/**
 * The words of a tool's name or of an argument's name, in lower case: `getUnreadEmails`, `get-unread-emails`. Pure. Unlike
 * `origin/roles/name-words.ts` it keeps numbers and the marks of letters: the lists of verbs and nouns are written with them.
 */
import { plainName } from "../origin/roles/name-words.ts";

/** Longer names are cut: clients choose them. */
const MAX_LETTERS = 200;

export function nameWords(name: string): readonly string[] {
  const spaced = plainName(name.slice(0, MAX_LETTERS))
    .replace(/^mcp__[^_]+(?:-[^_]+)*__/, "")
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const words = spaced.toLowerCase().match(/[\p{L}\p{M}]+|\p{Nd}+/gu) ?? [];
  return COMPOUNDS.test(words.join(" ")) ? compounded(words) : words;
}

/** A credit note is money and no note; a manual journal belongs to accounting and is no diary. */
const COMPOUNDS = /\b(?:(?:credit|debit) notes?|manual journals?)\b/;

function compounded(words: readonly string[]): readonly string[] {
  const joined = words.join(" ").replace(new RegExp(COMPOUNDS, "g"), (pair) => pair.replace(" ", "_"));
  return joined.split(" ");
}

/** English plurals, roughly: the words are compared with lists that hold singulars. */
export function singular(word: string): string {
  if (/[^s]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && word.length > 3 && !/(?:news|status|series|sms|dns|gps|lens|address)$/.test(word)
    ? word.slice(0, -1)
    : word;
}
