/** Looks words up, as the language writes them. Pure. */
import { normalForm } from "../../../lib/text/normal-form.ts";

/** Place of a word in the dictionary, or -1. */
export type FindWord = (word: string) => number;

/** `á` → `a`; `ñ` is a letter of its own. */
export const withoutMarks = (word: string): string =>
  plain.test(word) ? word : normalForm(word, "NFD").replaceAll(mark, (found) => (found.length > 1 ? "ñ" : ""));

const plain = /^[a-z]*$/;
const mark = /n\u0303|\p{M}/gu;
