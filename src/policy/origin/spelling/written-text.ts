/** Decides whether a text contains a whole value, in any of its spellings. Pure. */
import { digitsForm, folded, numberForm } from "./canonical.ts";
import type { ComparedValue, TokenSequence } from "./compared-value.ts";
import { isReplaced, isReplacedBy, mayCorrect } from "./corrections.ts";
import { namesCurrency } from "./currency-names.ts";
import { type DatePlace, datePlaces, isSameDate } from "./dates/dates.ts";
import { timesIn, type WrittenTime } from "./dates/times.ts";
import { type DigitRun, digitRunsIn, isSameRun } from "./digit-runs.ts";
import { asciiHosts } from "./host-names.ts";
import { type LetterGroups, letterGroupsIn, mayHold } from "./letter-groups.ts";
import type { NumberPlace } from "./number-words.ts";
import { mayHoldSpelledMail } from "./other-spellings.ts";
import { isInList } from "./person-names.ts";
import { withPlainMarks } from "./plain-marks.ts";
import { isOfUnit, isOtherAmount, onesOf, type Quantity } from "./quantities.ts";
import { isPartOfName, type QuotedName, quotedNamesIn } from "./quoted-names.ts";
import { isRuledOut } from "./ruled-out.ts";
import { spokenNumbersIn } from "./spoken-numbers.ts";
import { chunkStart, hasSequence, isRest, isScaled, MAX_PLACES, type TextSpan } from "./token-search.ts";
import { tokensOf } from "./tokens.ts";

/** A text prepared for the search for values. */
export interface WrittenText {
  readonly folded: string;
  /** The letter groups of `folded`. Read at the first value. */
  groups: LetterGroups | undefined;
  /** Its beginning may take back a value of the message before. Read at the first such value. */
  corrects: boolean | undefined;
  /** Read at the first value that is a date. */
  dates: readonly DatePlace[] | undefined;
  /** The same by their forms. */
  datesByForm: ReadonlyMap<string, readonly DatePlace[]> | undefined;
  /** The text with its hosts in ASCII. Read at the first value that is such a host, or would be one. */
  ascii: string | undefined;
  /** The others are read at the first value that may be written so. */
  spoken: readonly NumberPlace[] | undefined;
  digits: readonly DigitRun[] | undefined;
  times: readonly WrittenTime[] | undefined;
  numbers: ReadonlyMap<string, readonly NumberRun[]> | undefined;
  spellsMail: boolean | undefined;
  names: readonly QuotedName[] | undefined;
}

/** Digits with the marks between and after them. */
interface NumberRun {
  readonly start: number;
  readonly length: number;
}

export const readWritten = (text: string): WrittenText => ({
  folded: folded(withPlainMarks(text)),
  groups: undefined,
  corrects: undefined,
  dates: undefined,
  datesByForm: undefined,
  ascii: undefined,
  spoken: undefined,
  digits: undefined,
  times: undefined,
  numbers: undefined,
  spellsMail: undefined,
  names: undefined,
});

/** How a text contains a value: as the writer's word, only ruled out or replaced, or not at all. */
type Occurrence = "stands" | "ruled out" | "absent";

export const standsIn = (text: WrittenText, value: ComparedValue): boolean => occurrenceIn(text, value) === "stands";

/**
 * @param now in milliseconds: a date without a year is near it, and `tomorrow` is the next day.
 * @param next the user's next message, which may take back a value of this one.
 */
export function occurrenceIn(written: WrittenText, value: ComparedValue, now?: number, next?: WrittenText): Occurrence {
  if (written.folded === "") return "absent";
  const search: Search = { written, text: written.folded, next, sawRuledOut: false };
  const ascii: Search = { ...search, text: value.ascii === undefined ? "" : asciiOf(written) };
  const stands =
    hasTokens(search, value, value.quantity !== undefined) ||
    (value.ascii !== undefined && hasTokens(ascii, value.ascii)) ||
    (value.number !== undefined && hasNumber(search, value.number, value.holdsYear)) ||
    hasAccount(search, value) ||
    value.others().some((other) => hasTokens(search, other)) ||
    isSpelledOut(search, value) ||
    hasFamilyFirst(search, value) ||
    isWrittenOut(search, value) ||
    hasDate(search, value, now);
  if (stands) return "stands";
  return search.sawRuledOut || ascii.sawRuledOut ? "ruled out" : "absent";
}

interface Search {
  readonly written: WrittenText;
  /** Folded; its hosts may be in ASCII. */
  readonly text: string;
  readonly next: WrittenText | undefined;
  /** The value was found at a position that does not count. */
  sawRuledOut: boolean;
}

/** Whether a position of the value counts: the text neither rules it out nor replaces it. */
function counts(search: Search, { start, end }: TextSpan): boolean {
  const { text, next } = search;
  const isOut =
    isRuledOut(text, start, end) ||
    isReplaced(text, start, end) ||
    (next !== undefined && mayTakeBack(next) && isReplacedBy(next.folded, text, start, end));
  search.sawRuledOut ||= isOut;
  return !isOut;
}

function mayTakeBack(next: WrittenText): boolean {
  next.corrects ??= mayCorrect(next.folded);
  return next.corrects;
}

/** `jo at acme dot io`. */
function isSpelledOut(search: Search, value: ComparedValue): boolean {
  const { written, text } = search;
  written.spellsMail ??= mayHoldSpelledMail(text);
  return written.spellsMail && value.spelled().some((other) => hasTokens(search, other));
}

/** @param isAmount a number with its unit. */
function hasTokens(search: Search, value: TokenSequence, isAmount = false): boolean {
  const { text, written } = search;
  if (text === written.folded && !mayHold(groupsIn(written), value.tokens[0]?.form ?? "")) return false;
  return hasSequence(
    text,
    value,
    (place) =>
      !(value.isName && isPartOfQuoted(search, place)) &&
      !(value.holdsYear && isPartOfDate(search, place)) &&
      !(isAmount && isOtherAmount(text, place.start, place.end)) &&
      counts(search, place),
  );
}

function groupsIn(written: WrittenText): LetterGroups {
  written.groups ??= letterGroupsIn(written.folded);
  return written.groups;
}

/** `2026` and `May 2026` are no `14 May 2026`: they are more days than this one. */
function isPartOfDate({ written }: Search, { start, end }: TextSpan): boolean {
  return datesIn(written).some((date) => date.start <= start && date.end >= end && date.end - date.start > end - start);
}

function isPartOfQuoted({ written, text }: Search, { start, end }: TextSpan): boolean {
  written.names ??= quotedNamesIn(written.folded);
  return text === written.folded && isPartOfName(text, written.names, start, end);
}

/** `Adeyemi, Tunde`. */
function hasFamilyFirst(search: Search, value: ComparedValue): boolean {
  const name = value.familyFirst();
  const isName = ({ start, end }: TextSpan) =>
    search.text.slice(start, end).includes(",") && !isInList(search.text, start, end);
  return name !== undefined && hasSequence(search.text, name, (place) => isName(place) && counts(search, place));
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

function hasDate(search: Search, { date }: ComparedValue, now: number | undefined): boolean {
  if (date === undefined) return false;
  const { written } = search;
  written.datesByForm ??= Map.groupBy(datesIn(written), ({ form }) => form);
  const places = written.datesByForm;
  return isSameDate(date, (form) => places.get(form)?.some((place) => counts(search, place)) === true, now);
}

function datesIn(written: WrittenText): readonly DatePlace[] {
  written.dates ??= datePlaces(written.folded);
  return written.dates;
}

/** In words, in groups, or as a sign. */
function isWrittenOut(search: Search, { spoken, digits, time, currency, quantity }: ComparedValue): boolean {
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
  if (quantity !== undefined) return hasQuantity(search, quantity);
  if (spoken === undefined) return false;
  if (isPercent(search, spoken)) return true;
  written.spoken ??= spokenNumbersIn(text);
  return written.spoken.some((place) => place.value === spoken && counts(search, place));
}

/** The same number with the same unit. */
function hasQuantity(search: Search, { number, unit }: Quantity): boolean {
  const { written, text } = search;
  written.numbers ??= numberRunsIn(text);
  written.spoken ??= spokenNumbersIn(text);
  const runs = (written.numbers.get(number) ?? []).map(({ start, length }) => ({ start, end: start + length }));
  const spoken = written.spoken.filter(({ value }) => value === Number(number));
  if (number === "1" && onesOf(text, unit).some((place) => counts(search, place))) return true;
  return [...runs.slice(0, MAX_PLACES), ...spoken].some(
    (place) => isOfUnit(text, place.start, place.end, unit) && counts(search, place),
  );
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

/** @param holdsYear a part of a date does not count. */
function hasNumber(search: Search, number: string, holdsYear: boolean): boolean {
  const { text, written } = search;
  written.numbers ??= numberRunsIn(text);
  const runs = written.numbers.get(number.replace(/^-/, "")) ?? [];
  for (const { start, length } of runs.slice(0, MAX_PLACES)) {
    const begin = chunkStart(text, start);
    if (begin === undefined) return false;
    for (const token of tokensOf(text, begin, start + 1))
      if (token.start <= start && token.end >= start + length && numberForm(token.form) === number)
        if (
          !isRest(text, start) &&
          !isScaled(text, token) &&
          !(holdsYear && isPartOfDate(search, token)) &&
          counts(search, token)
        )
          return true;
  }
  return false;
}

/** The positions of each number, by its form. */
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
