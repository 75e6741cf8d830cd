/** All words of a list in a text, in one pass: at word boundaries, the longest at each place, none within another. Pure. */

import { lazyRegExp } from "../../lib/once.ts";
import { normalForm } from "../../lib/text/normal-form.ts";
import { indexWords, type WordIndex, wordsAt } from "../lexical/word-index.ts";

interface WordList {
  readonly index: WordIndex;
  /** By the index's numbers. */
  readonly meanings: readonly number[];
  readonly meaningOf: ReadonlyMap<string, number>;
}

interface FoundWord {
  /** Place of its meaning in the list that was compiled. */
  readonly meaning: number;
  readonly at: number;
  readonly end: number;
}

/** @param meanings the words of each; if two meanings share a word, the first counts. */
export function compileWords(meanings: readonly (readonly string[])[]): WordList {
  const meaningOf = new Map<string, number>();
  for (const [meaning, words] of meanings.entries()) {
    for (const word of words.map(foldWord)) if (!meaningOf.has(word)) meaningOf.set(word, meaning);
  }
  return { index: indexWords([...meaningOf.keys()]), meanings: [...meaningOf.values()], meaningOf };
}

/** The meaning of `text` as a whole. */
export const readWord = ({ meaningOf }: WordList, text: string): number | undefined => meaningOf.get(foldWord(text));

export function findWords({ index, meanings }: WordList, text: string): FoundWord[] {
  const folded = foldCase(text);
  const found: FoundWord[] = [];
  for (let at = 0; at < folded.length; at += 1) {
    if (!isBoundary(folded, at)) continue;
    let longest: FoundWord | undefined;
    wordsAt(index, folded, at, (number, end) => {
      if (isBoundary(folded, end)) longest = { meaning: meanings[number] as number, at, end };
    });
    if (longest === undefined) continue;
    found.push(longest);
    at = (longest as FoundWord).end - 1;
  }
  return found;
}

const foldWord = (word: string): string => foldCase(normalForm(word, "NFC")).replace(/\s+/g, " ");

/** The same length as the text: `İ` alone would become two. The last sigma of a word is a sigma. */
const foldCase = (text: string): string => text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");

const word = lazyRegExp(String.raw`^[\p{L}\p{N}\p{M}_]`, "u");
/** Scripts without spaces, and Korean, in which endings stick to the word: any place can be a boundary. */
const unspaced = lazyRegExp(
  String.raw`^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Mymr}\p{scx=Hangul}]`,
  "u",
);

/** Whether no word spans the place before `index`. */
function isBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  const pair = text.codePointAt(index - 2) ?? 0;
  const before = pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(index - 1);
  const after = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return !word().test(before) || !word().test(after) || unspaced().test(before) || unspaced().test(after);
}
