/** Misspelt words of a message, corrected against words that are known. Pure, deterministic; linear time with a small bound. */
import { lazyRegExp } from "../../lib/once.ts";
import { hashText } from "../semantic/hash.ts";
import { isContraction } from "../semantic/words.ts";
import { type WordRank, wordOneEditAway } from "./near-word.ts";

export interface KnownWords {
  /** Words that may be put in place of a wrong one, by their hashes. */
  readonly rankOf: WordRank;
  /** How sure it is that a word in lower case is right: infinite, or the rank that another word must exceed. */
  readonly sureness: (word: string) => number;
  /** The evidence for two words, given by their hashes, being neighbours; 0: none. */
  readonly pairRankOf?: (first: number, second: number) => number;
  /** As in German: a capital inside a sentence does not mark a name. */
  readonly nounsAreCapitalised?: boolean;
}

export interface Correction {
  /** The index of `from` in the original text. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

export interface CorrectedText {
  readonly text: string;
  /** In the order of the text, none over another. */
  readonly corrections: readonly Correction[];
}

/** Users say what they want in the first words. */
const maxUnits = 4096;
/** Words that are looked at, and those that are corrected. */
export const maxSeen = 64;
const maxWords = 8;
/** A word takes about 2 µs a letter. */
const maxLetters = 80;
/** A rare word, and one of three letters, is corrected only if a neighbour of it supports the correction. */
export const rare = 20;

/** Latin words on their own: no part of an address, a path, a number, a name with a dot or a hyphen, or code. */
const wordPattern = lazyRegExp(
  String.raw`(?<=^|[\s"“”„«»¿¡(])[\p{Script=Latin}]{3,24}(?=(?:'(?!t)\p{L}{1,2})?[.,;:!?…"“”»)]*(?:\s|$))`,
  "gu",
);
const sentenceStart = lazyRegExp(String.raw`(?:^|[.!?¿¡…:]["“”„«»)]*\s|\n)\s*["“”„«»(¿¡]*$`, "u");
/** How far back the start of a sentence is looked for. */
const lookBack = 12;

export function correctSpelling(text: string, known: KnownWords): CorrectedText {
  const corrections: Correction[] = [];
  let [seen, words, letters, inCode, seenUpTo] = [0, 0, 0, false, 0];
  const head = text.length > maxUnits ? text.slice(0, maxUnits) : text;
  for (const { 0: from, index: at } of head.matchAll(wordPattern())) {
    for (; seenUpTo < at; seenUpTo++) if (head[seenUpTo] === "`") inCode = !inCode;
    const word = from.toLowerCase();
    seen++;
    if (seen > maxSeen) break;
    const sureness = isContraction(word) ? Number.POSITIVE_INFINITY : known.sureness(word);
    if (inCode || sureness === Number.POSITIVE_INFINITY || isName(head, at, from, word, known)) continue;
    words++;
    letters += word.length;
    if (words > maxWords || letters > maxLetters) break;
    const [before, after] = neighbours(head, at, at + from.length);
    const rankOf = (hash: number): number => {
      const rank = known.rankOf(hash);
      return rank > 0 ? rank + (known.pairRankOf?.(before, hash) ?? 0) + (known.pairRankOf?.(hash, after) ?? 0) : 0;
    };
    const better = wordOneEditAway(word, rankOf, word.length < 4 ? Math.max(sureness, rare) : sureness);
    if (better !== undefined) corrections.push({ at, from, to: from === word ? better : capitalised(better) });
  }
  return { text: corrections.length === 0 ? text : applied(text, corrections), corrections };
}

/** Inner capitals mark an identifier or an abbreviation; a first capital inside a sentence marks a name. */
function isName(text: string, at: number, from: string, word: string, { nounsAreCapitalised }: KnownWords): boolean {
  if (from === word) return false;
  if (from.slice(1) !== word.slice(1)) return true;
  return nounsAreCapitalised !== true && !sentenceStart().test(text.slice(Math.max(0, at - lookBack), at));
}

const wordBefore = lazyRegExp(String.raw`(\p{L}{1,24})\s+$`, "u");
const wordAfter = lazyRegExp(String.raw`^\s+(\p{L}{1,24})`, "u");

/** Hashes of the words on both sides; 0 if there is none. */
function neighbours(text: string, from: number, to: number): readonly [before: number, after: number] {
  const before = wordBefore().exec(text.slice(Math.max(0, from - 26), from))?.[1];
  const after = wordAfter().exec(text.slice(to, to + 26))?.[1];
  return [before ? hashText(before.toLowerCase()) : 0, after ? hashText(after.toLowerCase()) : 0];
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function applied(text: string, corrections: readonly Correction[]): string {
  let [out, done] = ["", 0];
  for (const { at, from, to } of corrections) {
    out += text.slice(done, at) + to;
    done = at + from.length;
  }
  return out + text.slice(done);
}
