/**
 * The layer `patterns`: the policy's regular expressions, in linear time (RE2). Pure.
 *
 * RE2 in JavaScript takes about 10 ns a character to test for a match and up to 1 µs to locate it. So a pattern is tried
 * only around a literal that all its matches need, and the text is read in passages: whole if it is short, else
 * sentences together up to `maxPassage` characters. No match goes over the edge of a passage.
 */

import { type Matcher, RE2JS } from "re2js";
import { lazyRegExp } from "../../lib/once.ts";
import { countLettersAndDigits } from "../../lib/text/characters.ts";
import { normalForm } from "../../lib/text/normal-form.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileAdmitted, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";
import { GAP } from "./fold.ts";
import { shapeOf } from "./pattern-shape.ts";

export interface IntentPattern {
  readonly intent: number;
  readonly source: string;
  /** Tried in every passage if absent, else in those that hold one. */
  readonly literals?: readonly string[];
  /** Compiled when it is first tried: most patterns of a large policy never are, in most isolates. */
  regex(): { readonly regex: LinearPattern; readonly measured: boolean } | undefined;
}

interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** How many letters and digits the pattern's own words matched. */
  readonly weight: number;
}

export interface Passage {
  readonly start: number;
  readonly end: number;
  /** A noncharacter marks the place at which the passage is cut out, so that `^` and `$` match the message's ends alone. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

export function intentPattern(intent: number, source: string): IntentPattern {
  const translated = RE2JS.translateRegExp(foldPattern(source));
  const shape = shapeOf(translated);
  let compiled: ReturnType<IntentPattern["regex"]> | null = null;
  return {
    intent,
    source,
    literals: shape?.literals,
    regex() {
      if (compiled === null) compiled = compile(translated, shape?.source);
      return compiled;
    },
  };
}

function compile(source: string, marked: string | undefined): ReturnType<IntentPattern["regex"]> {
  try {
    return { regex: compileAdmitted(marked ?? source, { ignoreCase: true }), measured: marked !== undefined };
  } catch {
    // The document was checked with the pattern as written; the added marks may be too much for RE2's own bounds.
    return marked === undefined ? undefined : compile(source, undefined);
  }
}

const runs = lazyRegExp(String.raw`[\p{L}\p{N}\p{M}]+`, "gu");
const fullWidth = /[\uff01-\uff5e\u3000]/g;

/** Texts are folded before they are read, so a pattern's letters are too; punctuation stays a literal. */
function foldPattern(source: string): string {
  return source
    .replace(runs(), (letters) => (/^[\x21-\x7e]*$/.test(letters) ? letters : normalForm(letters, "NFKC")))
    .replace(fullWidth, (wide) => {
      const narrow = wide.normalize("NFKC");
      return narrow === " " ? narrow : `\\${narrow}`;
    })
    .replace(/[\u2018\u2019]/g, "'");
}

/** @returns the first matches in one passage, `most` of them. Throws `WorkSpent`. */
export function matchPassage(
  pattern: IntentPattern,
  text: string,
  passage: Passage,
  most: number,
  work: WorkBudget,
): PatternMatch[] {
  const compiled = pattern.regex();
  if (!compiled) return [];
  const before = passage.cutBefore ? GAP : "";
  const input = before + text.slice(passage.start, passage.end) + (passage.cutAfter ? GAP : "");
  if (!compiled.regex.test(input, work)) return [];
  const shift = passage.start - before.length;
  const matches: PatternMatch[] = [];
  for (const matcher of compiled.regex.matches(input, work)) {
    const match = trimmed(input, matcher.start(), matcher.end());
    if (match.start >= match.end) continue;
    const open = compiled.measured ? openLetters(input, matcher) : Number.POSITIVE_INFINITY;
    const weight = Math.max(0, countLettersAndDigits(input.slice(match.start, match.end)) - open);
    matches.push({ start: match.start + shift, end: match.end + shift, weight });
    if (matches.length === most) break;
  }
  return matches;
}

const MOST_MARKS = 8;

function trimmed(input: string, start: number, end: number): { start: number; end: number } {
  let [first, last] = [start, end];
  // The end of the sentence before: a pattern may say that a request begins there.
  first += /^[.,;:!?]+(?=\s)/.exec(input.slice(first, Math.min(last, first + MOST_MARKS)))?.[0].length ?? 0;
  while (first < last && /[\s\uffff]/.test(input.charAt(first))) first += 1;
  while (last > first && /[\s\uffff]/.test(input.charAt(last - 1))) last -= 1;
  return { start: first, end: last };
}

function openLetters(input: string, matcher: Matcher): number {
  let open = 0;
  for (let group = 1; group <= matcher.groupCount(); group += 1) {
    const start = matcher.start(group);
    if (start >= 0) open += countLettersAndDigits(input.slice(start, matcher.end(group)));
  }
  return open;
}

/** In UTF-16 units; longer than almost any sentence. */
const maxPassage = 500;

export function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOf(text, start);
    passages.push({ start, end, cutBefore: start > 0, cutAfter: end < text.length });
    if (text.startsWith(GAP, end)) start = end + 1;
    // The mark is in both: a pattern may say that a request begins behind it.
    else start = end < text.length && end - start > 1 && /[.!?]/.test(text.charAt(end - 1)) ? end - 1 : end;
  }
  return passages;
}

function endOf(text: string, start: number): number {
  const gap = text.indexOf(GAP, start);
  const stop = gap < 0 ? text.length : gap;
  if (stop - start <= maxPassage) return stop;
  const window = text.slice(start, start + maxPassage);
  const ends = [...window.matchAll(/[.!?](?=\s)|[\n。！？]/g)];
  const last = ends.at(-1);
  if (last) return start + last.index + 1;
  const space = Math.max(window.lastIndexOf(" "), window.lastIndexOf("\t"));
  return start + (space > 0 ? space : maxPassage);
}
