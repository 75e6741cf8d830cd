/** Looks words up, as the language writes them. Pure. */
import { normalForm } from "../../../lib/text/normal-form.ts";

/** Place of a word in the dictionary, or -1. */
export type FindWord = (word: string) => number;

/** The ending of an inflected form, and what the dictionary may have in its place. */
export type Ending = readonly [ending: string, put: readonly string[]];

/** @param shortest letters before the ending. @param spellings of the stem, where its last letters change too. */
export function findByEnding(
  word: string,
  endings: readonly Ending[],
  find: FindWord,
  shortest: number,
  spellings: (stem: string) => readonly string[] = (stem) => [stem],
): number | undefined {
  for (const [ending, put] of endings) {
    if (!word.endsWith(ending) || word.length - ending.length < shortest) continue;
    const stem = word.slice(0, word.length - ending.length);
    for (const spelling of spellings(stem))
      for (const other of put) {
        const place = find(spelling + other);
        if (place >= 0) return place;
      }
  }
  return undefined;
}

/** The longest ending first. */
export const endingsOf = (endings: string, put: readonly string[]): readonly Ending[] =>
  endings
    .split(",")
    .sort((one, other) => other.length - one.length)
    .map((ending) => [ending, put]);

/** `á` → `a`; `ñ` is a letter of its own. */
export const withoutMarks = (word: string): string =>
  plain.test(word) ? word : normalForm(word, "NFD").replaceAll(mark, (found) => (found.length > 1 ? "ñ" : ""));

const plain = /^[a-z]*$/;
const mark = /n\u0303|\p{M}/gu;
