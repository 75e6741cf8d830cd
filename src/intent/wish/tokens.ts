/**
 * A text as a list of tokens: words if the script has spaces, else single characters, and punctuation marks. Each is known by
 * its hash alone: features are made of hashes. Pure, in linear time.
 */
import { normalForm } from "../../lib/text/normal-form.ts";
import type { Span } from "../../lib/text/span.ts";
import { scriptOf, scripts } from "../lexical/script.ts";
import { hashText, mixed } from "../semantic/hash.ts";
import { isRequestVerb, requestVerbHash } from "./request-verbs.ts";

export interface Tokens {
  readonly length: number;
  /** Hash of the word, in lower case and without accents; digits are all the same. */
  readonly words: readonly number[];
  /** The grammar of a word without its content: short words stay, longer ones leave their ending. */
  readonly shapes: readonly number[];
  readonly kinds: readonly TokenKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

type TokenKind = "word" | "character" | "clause" | "sentence" | "mark";

/** The letters of a candidate tell nothing: every candidate is the same token. */
export const candidateHash = hashText("<candidate>");

const clauseMarks = new Set(",;:()[]–—，、；：（）…");
const sentenceMarks = new Set(".!?\n。！？");
/** Words up to this length are mostly grammar: "the", "nicht", "para". */
const shortWord = 4;

/** @param candidate becomes one token. Indices are those of `text`, in UTF-16 units. */
export function tokensOf(text: string, candidate: Span | undefined): Tokens {
  const out: MutableTokens = { words: [], shapes: [], kinds: [], starts: [], ends: [] };
  let at = 0;
  while (at < text.length) {
    if (candidate && at >= candidate.start && at < candidate.end) {
      push(out, candidateHash, candidateHash, "word", candidate.start, candidate.end);
      at = candidate.end;
    } else at = readToken(text, at, candidate && candidate.start > at ? candidate.start : text.length, out);
  }
  return { length: out.words.length, ...out };
}

interface MutableTokens {
  readonly words: number[];
  readonly shapes: number[];
  readonly kinds: TokenKind[];
  readonly starts: number[];
  readonly ends: number[];
}

function push(out: MutableTokens, word: number, shape: number, kind: TokenKind, start: number, end: number): void {
  out.words.push(word);
  out.shapes.push(shape);
  out.kinds.push(kind);
  out.starts.push(start);
  out.ends.push(end);
}

/** @returns the index at which the next token may start. */
function readToken(text: string, start: number, limit: number, out: MutableTokens): number {
  const script = scriptOf(text.charCodeAt(start));
  if (script === scripts.spaced || script === scripts.hangul) {
    let end = start + 1;
    while (end < limit && isWordUnit(text.charCodeAt(end), script)) end += 1;
    const word = plainWord(text.slice(start, end));
    const hash = hashText(word);
    const shape = isRequestVerb(hash)
      ? requestVerbHash
      : word.length <= shortWord
        ? hash
        : hashText(`*${word.slice(-2)}`);
    push(out, hash, shape, "word", start, end);
    return end;
  }
  const mark = text.charAt(start);
  if (script !== scripts.none) push(out, hashText(mark), hashText(mark), "character", start, start + 1);
  else if (mark === "\n" || mark.trim() !== "") {
    const plain = plainMarks[mark] ?? mark;
    const isDot = mark === "." && start + 1 < text.length && !/\s/.test(text.charAt(start + 1));
    const kind = isDot ? "mark" : sentenceMarks.has(mark) ? "sentence" : clauseMarks.has(mark) ? "clause" : "mark";
    push(out, mixed(plain.charCodeAt(0)), mixed(plain.charCodeAt(0)), kind, start, start + 1);
  }
  return start + 1;
}

const apostrophe = 39;
const curlyApostrophe = 0x2019;
const isWordUnit = (unit: number, script: number): boolean =>
  scriptOf(unit) === script || unit === apostrophe || unit === curlyApostrophe;

function plainWord(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z]*$/.test(lower)) return lower;
  const plain = /^[a-z']*$/.test(lower) ? lower : normalForm(lower, "NFKD").replace(/[\u0300-\u036f]/g, "");
  return plain.replace(/’/g, "'").replace(/ß/g, "ss").replace(/\d+/g, "0").replace(/'+$/, "");
}

/** Marks of different scripts that say the same. */
const plainMarks: Readonly<Record<string, string>> = {
  "，": ",",
  "、": ",",
  "；": ";",
  "：": ":",
  "（": "(",
  "）": ")",
  "。": ".",
  "！": "!",
  "？": "?",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "「": '"',
  "」": '"',
  "『": '"',
  "』": '"',
  "‘": '"',
  "’": '"',
  "‹": '"',
  "›": '"',
  "`": '"',
};

/** UTF-16 units in which a message begins. */
const BEGINNING = 40;

/** Whether it names an act and its object: "Bitte erstatte ihm die 89 Euro". */
export function beginsWithRequest(text: string): boolean {
  const { shapes, length } = tokensOf(text.slice(0, BEGINNING), undefined);
  return length > 3 && shapes.slice(0, 2).includes(requestVerbHash);
}
