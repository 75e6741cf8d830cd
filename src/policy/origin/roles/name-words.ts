/**
 * Splits the name of an argument or a tool into words: `recipientEmails`, `recipient_emails` and `RECIPIENT-EMAILS` have the same. Pure.
 * A client or a model chooses these names, so full-width letters, marks and invisible characters must not hide a word.
 */

import { lazyRegExp } from "../../../lib/once.ts";
import { normalForm } from "../../../lib/text/normal-form.ts";

const unseen = lazyRegExp(String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`, "gu");
const latinMarks = lazyRegExp(String.raw`(?<=\p{sc=Latin})\p{M}+`, "gu");
const cjk = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]`, "u");
const parts = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+|\p{N}+`,
  "gu",
);

/** The same for an ASCII name, without the numbers. */
const asciiParts = lazyRegExp("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", "g");

/** A longer name is cut: the words that say what it means are at its ends, and its length is untrusted. */
const MAX_NAME = 200;

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

/** Full-width and other compatibility forms as plain letters, without invisible characters. */
export const plainName = (name: string): string =>
  isAscii(name) ? name : normalForm(name, "NFKC").replace(unseen(), "");

/** In lower case, Latin letters without marks. Numbers are left out. */
export function nameWords(name: string): readonly string[] {
  const bounded = name.length > MAX_NAME ? name.slice(0, MAX_NAME / 2) + name.slice(-MAX_NAME / 2) : name;
  // Almost all names are plain, and a call may bring thousands.
  if (isAscii(bounded)) return (bounded.match(asciiParts()) ?? []).map((word) => word.toLowerCase());
  const unmarked = plainName(bounded).normalize("NFD").replace(latinMarks(), "").normalize("NFC").replaceAll("ß", "ss");
  const words = unmarked.match(parts()) ?? [];
  return words.filter((word) => !/^\p{N}/u.test(word)).map((word) => word.toLowerCase());
}

export const isCjkWord = (word: string): boolean => cjk().test(word);

/** The words that a word may be a form of: itself, and its singular in English, German and Spanish. */
export function singulars(word: string): readonly string[] {
  if (word.length < 3) return [word];
  const forms = [word];
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  if (word.endsWith("s") || word.endsWith("n")) forms.push(word.slice(0, -1));
  if (word.endsWith("en")) forms.push(word.slice(0, -2));
  return forms;
}
