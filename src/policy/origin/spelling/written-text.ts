/**
 * Whether a value stands in a text as a whole token sequence. Pure.
 *
 * No index of the text is kept: a search for the value's first token, and a look at the few places found, costs less than
 * reading the whole text into tokens once.
 */
import { latePattern } from "../../../lib/once.ts";
import { digitsForm, folded, numberForm } from "./canonical.ts";
import type { ComparedValue } from "./compared-value.ts";
import { isReplaced, isReplacedBy } from "./corrections.ts";
import { namesCurrency } from "./currency-names.ts";
import { type DatePlace, datePlaces, isSameDate } from "./dates.ts";
import { type DigitRun, digitRunsIn, isSameRun } from "./digit-runs.ts";
import { isNameStart, isWordEdge } from "./han-words.ts";
import { asciiHosts } from "./host-names.ts";
import type { NumberPlace } from "./number-words.ts";
import { withPlainMarks } from "./plain-marks.ts";
import { isRuledOut } from "./ruled-out.ts";
import { spokenNumbersIn, startsWithFactor } from "./spoken-numbers.ts";
import { timesIn, type WrittenTime } from "./times.ts";
import { separatorForm, type Token, tokensOf } from "./tokens.ts";

/** A text in the form in which values are looked for. */
export interface WrittenText {
  readonly folded: string;
  /** The next message of the user, folded, where it may take back a value of this one. */
  readonly correction: string | undefined;
  /** Read at the first value that is a date. */
  dates: readonly DatePlace[] | undefined;
  /** The text with its hosts in ASCII. Read at the first value that is such a host, or would be one. */
  ascii: string | undefined;
  /** The others are read at the first value that may be written so. */
  spoken: readonly NumberPlace[] | undefined;
  digits: readonly DigitRun[] | undefined;
  times: readonly WrittenTime[] | undefined;
  numbers: ReadonlyMap<string, readonly NumberRun[]> | undefined;
}

/** Digits with the marks between and after them. */
interface NumberRun {
  readonly start: number;
  readonly length: number;
}

/** @param correction the next message, folded. */
export const readWritten = (text: string, correction?: string): WrittenText => ({
  folded: folded(withPlainMarks(text)),
  correction,
  dates: undefined,
  ascii: undefined,
  spoken: undefined,
  digits: undefined,
  times: undefined,
  numbers: undefined,
});

/** Places that are looked at. A value that stands at more of them, and is not found, is a common word. */
const MAX_PLACES = 500;

/** How a text holds a value: as the writer's word, only as one that it rules out or replaces, or not at all. */
export type Standing = "stands" | "ruled out" | "absent";

export const standsIn = (text: WrittenText, value: ComparedValue, year?: number): boolean =>
  standingIn(text, value, year) === "stands";

/** @param year the present one, which a date without a year means. */
export function standingIn(written: WrittenText, value: ComparedValue, year?: number): Standing {
  if (written.folded === "") return "absent";
  const search: Search = { written, text: written.folded, sawRuledOut: false };
  const ascii: Search = { ...search, text: value.ascii === undefined ? "" : asciiOf(written) };
  const stands =
    (value.tokens.length > 0 && hasSequence(search, value)) ||
    (value.ascii !== undefined && hasSequence(ascii, value.ascii)) ||
    (value.number !== undefined && hasNumber(search, value.number)) ||
    hasAccount(search, value) ||
    value.others.some((other) => hasSequence(search, other)) ||
    isWrittenOut(search, value) ||
    hasDate(search, value, year);
  if (stands) return "stands";
  return search.sawRuledOut || ascii.sawRuledOut ? "ruled out" : "absent";
}

interface Search {
  readonly written: WrittenText;
  /** Folded; its hosts may be in ASCII. */
  readonly text: string;
  /** A place was found that does not count. */
  sawRuledOut: boolean;
}

/** Whether a place of the value counts: the text neither rules it out nor replaces it. */
function counts(search: Search, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const { text, written } = search;
  const isOut =
    isRuledOut(text, start, end) ||
    isReplaced(text, start, end) ||
    (written.correction !== undefined && isReplacedBy(written.correction, text, start, end));
  search.sawRuledOut ||= isOut;
  return !isOut;
}

/** Not the rest of a longer number. */
function hasAccount(search: Search, { account }: ComparedValue): boolean {
  const found = account?.exec(search.text);
  if (!found) return false;
  const { written, text } = search;
  const [start, end] = [found.index, found.index + found[0].length];
  written.digits ??= digitRunsIn(text);
  return !written.digits.some((run) => run.start < start && run.end >= end) && counts(search, { start, end });
}

function hasDate(search: Search, { date }: ComparedValue, year: number | undefined): boolean {
  if (date === undefined) return false;
  search.written.dates ??= datePlaces(search.text);
  const places = search.written.dates;
  return isSameDate(date, (form) => places.some((place) => place.form === form && counts(search, place)), year);
}

/** In words, in groups, or as a sign. */
function isWrittenOut(search: Search, { spoken, digits, time, currency }: ComparedValue): boolean {
  const { written, text } = search;
  if (currency !== undefined) return namesCurrency(text, currency);
  if (time !== undefined) {
    written.times ??= timesIn(text);
    return written.times.some((one) => one.form === time && counts(search, one));
  }
  if (digits !== undefined) {
    written.digits ??= digitRunsIn(text);
    if (written.digits.some((run) => isSameRun(run, digits) && counts(search, run))) return true;
  }
  if (spoken === undefined) return false;
  if (isPercent(search, spoken)) return true;
  written.spoken ??= spokenNumbersIn(text);
  return written.spoken.some((place) => place.value === spoken && counts(search, place));
}

/** `15 %` is 0.15 of something. */
function isPercent(search: Search, share: number): boolean {
  if (share <= 0 || share >= 1) return false;
  const { text, written } = search;
  written.numbers ??= numberRunsIn(text);
  const runs = written.numbers.get(String(Number((share * 100).toFixed(6)))) ?? [];
  return runs.some(({ start, length }) => {
    const end = start + length;
    return percentNext.test(text.slice(end, end + 12)) && counts(search, { start, end });
  });
}
const percentNext = /^\s?(?:%|percent|prozent|por ciento|pour ?cent|per cento)/u;

function asciiOf(text: WrittenText): string {
  text.ascii ??= asciiHosts(text.folded);
  return text.ascii;
}

function hasSequence(search: Search, value: ComparedValue): boolean {
  const { text } = search;
  const first = value.tokens[0]?.form ?? "";
  let at = text.indexOf(first);
  for (let places = 0; at !== -1 && places < MAX_PLACES; places += 1) {
    const begin = chunkStart(text, at);
    const end = chunkEnd(text, at);
    if (begin !== undefined && end !== undefined && sequenceAt(search, begin, at, value)) return true;
    at = text.indexOf(first, end === undefined ? at + MAX_RUN : at + 1);
  }
  return false;
}

function sequenceAt(search: Search, begin: number, at: number, value: ComparedValue): boolean {
  const { text } = search;
  let matched = 0;
  let start = 0;
  let end = 0;
  for (const token of tokensOf(text, begin)) {
    if (matched === 0 && token.start > at) return false;
    if (matched === 0 && !(token.start <= at && token.form === value.tokens[0]?.form && covers(token, at))) continue;
    if (matched > 0) {
      if (token.form !== value.tokens[matched]?.form) return false;
      if (!isSameSeparator(separatorForm(text, end, token.start), value, matched - 1)) return false;
    } else if (isCutBefore(text, token, value) || isRestOfPhone(text, token)) return false;
    else start = token.start;
    matched += 1;
    end = token.end;
    if (matched === value.tokens.length)
      return (
        !isCutAfter(text, { ...token, end }, value) &&
        !isScaled(text, token) &&
        !isPartOfGroups(text, start, end, value) &&
        !isPartOfSpelledMail(text, start, end, value) &&
        counts(search, { start, end })
      );
  }
  return false;
}

const covers = ({ start, form }: Token, at: number): boolean => at - start <= form.length + MAX_SCHEME;

/** `https://www.` stands before the form of a token. */
const MAX_SCHEME = 16;

/** A comma more or less is a spelling; between addresses it parts two of them. */
function isSameSeparator(written: string, value: ComparedValue, at: number): boolean {
  const wanted = value.separators[at] ?? "";
  if (written === wanted) return true;
  return !value.isAddress && written.replace(/^,/, "") === wanted.replace(/^,/, "") && wanted.trim().length < 2;
}

const joined = latePattern(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\u30fc]`, "u");
const isJoined = (text: string, at: number): boolean => at >= 0 && joined().test(text.charAt(at));

/** Letters without blanks that go on before the value, or a path or an address whose part it would be. */
const isCutBefore = (text: string, { start, isCjk }: Token, { bounded }: ComparedValue): boolean =>
  isCjk &&
  ((bounded.start && isJoined(text, start - 1) && !isNameStart(text, start)) ||
    !isWordEdge(text, start) ||
    /^[^\s][/@\\_-]$/u.test(text.slice(Math.max(0, start - 2), start)));

/** Without its country a phone number is another one: "+44 7700 900123" is no 7700 900123. */
const isRestOfPhone = (text: string, { form, start }: Token): boolean =>
  /^\d/.test(form) && /(?:\+|\b00)\d[\d ().-]{0,14}[ ().-]$/.test(text.slice(Math.max(0, start - 18), start));

const isCutAfter = (text: string, { end, isCjk }: Token, { bounded }: ComparedValue): boolean =>
  isCjk &&
  ((bounded.end && isJoined(text, end)) || !isWordEdge(text, end) || /^[/@\\_.-][^\s]/u.test(text.slice(end, end + 2)));

/** Groups of digits that go on before or after the value: another number. */
const isPartOfGroups = (text: string, start: number, end: number, { tokens, digits }: ComparedValue): boolean =>
  (digits !== undefined || (/^[a-z]{1,3}$/.test(tokens[0]?.form ?? "") && /^\d+$/.test(tokens.at(-1)?.form ?? ""))) &&
  tokens.length > 1 &&
  (/\d[ .-]$/.test(text.slice(Math.max(0, start - 2), start)) || /^[ .-]\d/.test(text.slice(end, end + 2)));

/** `jo at acme dot io dot evil`, of which `jo@acme.io` is a part. */
const isPartOfSpelledMail = (text: string, start: number, end: number, { tokens }: ComparedValue): boolean =>
  tokens.length > 3 &&
  spelledMark.test(tokens.at(-2)?.form ?? "") &&
  (/[\s([](?:dot|punkt|punto|point)[\s)\]]+$/u.test(text.slice(Math.max(0, start - 10), start)) ||
    /^[\s)\]]*[\s([](?:dot|punkt|punto|point|at|ät)[\s)\]]/u.test(text.slice(end, end + 12)));
const spelledMark = /^(?:dot|punkt|punto|point)$/u;

/** `5 million` and `3万` are no 5 and no 3. */
const isScaled = (text: string, { form, end }: Token): boolean =>
  /^[\d.,]+$/.test(form) && startsWithFactor(text.slice(end, end + 12));

/** Longer runs without a blank are no text that somebody typed. */
const MAX_RUN = 2_000;

/** Where the run of characters without blanks that holds a place begins. */
function chunkStart(text: string, at: number): number | undefined {
  let start = at;
  while (start > 0 && at - start < MAX_RUN && !isBlank(text.charCodeAt(start - 1))) start -= 1;
  return at - start < MAX_RUN ? start : undefined;
}

/** Undefined where the run is longer: each token in it would cost the reading of all of it. */
function chunkEnd(text: string, at: number): number | undefined {
  let end = at;
  while (end < text.length && end - at < MAX_RUN && !isBlank(text.charCodeAt(end))) end += 1;
  return end - at < MAX_RUN ? end : undefined;
}

/** Also the stops of Chinese and Japanese, which have no blanks after them. */
const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || (code >= 0x3000 && code <= 0x3002);

function hasNumber(search: Search, number: string): boolean {
  const { text, written } = search;
  written.numbers ??= numberRunsIn(text);
  const runs = written.numbers.get(number.replace(/^-/, "")) ?? [];
  for (const { start, length } of runs.slice(0, MAX_PLACES)) {
    const begin = chunkStart(text, start);
    if (begin === undefined) return false;
    for (const token of tokensOf(text, begin, start + 1))
      if (token.start <= start && token.end >= start + length && numberForm(token.form) === number)
        if (!isScaled(text, token) && counts(search, token)) return true;
  }
  return false;
}

/** By the form of each number, where it stands. */
function numberRunsIn(text: string): ReadonlyMap<string, readonly NumberRun[]> {
  const runs = new Map<string, NumberRun[]>();
  for (const { 0: run, index } of text.matchAll(/(?:(?<![\p{L}\p{N}.,])\.)?\d[\d.,'’]*/gu)) {
    const bare = run.replace(/[.,'’]+$/u, "");
    const form = digitsForm(bare);
    if (form === undefined) continue;
    const known = runs.get(form);
    const place = { start: index, length: bare.length };
    if (known) known.push(place);
    else runs.set(form, [place]);
  }
  return runs;
}
