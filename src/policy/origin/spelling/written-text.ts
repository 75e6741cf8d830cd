/**
 * Whether a value stands in a text as a whole token sequence. Pure.
 *
 * No index of the text is kept: a search for the value's first token, and a look at the few places found, costs less than
 * reading the whole text into tokens once.
 */
import { latePattern } from "../../../lib/once.ts";
import {
  accountForm,
  addressOfMailbox,
  folded,
  isComparable,
  isIban,
  looksLikeAddress,
  numberForm,
  numberText,
} from "./canonical.ts";
import { isNamedCurrency, namesCurrency } from "./currency-names.ts";
import { dateForm, datesIn, isSameDate } from "./dates.ts";
import { type DigitRun, digitRunsIn, groupedDigits, isSameRun } from "./digit-runs.ts";
import { isNameStart, isWordEdge } from "./han-words.ts";
import { asciiHosts } from "./host-names.ts";
import type { NumberPlace } from "./number-words.ts";
import { onOneLine, otherSpellings, withPlainMarks } from "./plain-marks.ts";
import { isRuledOut } from "./ruled-out.ts";
import { spokenNumbersIn, startsWithFactor } from "./spoken-numbers.ts";
import { timeForm, timesIn, type WrittenTime } from "./times.ts";
import { separatorForm, type Token, tokensOf } from "./tokens.ts";

/** A text in the form in which values are looked for. */
export interface WrittenText {
  readonly folded: string;
  /** Read at the first value that is a date. */
  dates: ReadonlySet<string> | undefined;
  /** The text with its hosts in ASCII. Read at the first value that is such a host, or would be one. */
  ascii: string | undefined;
  /** The others are read at the first value that may be written so. */
  spoken: readonly NumberPlace[] | undefined;
  digits: readonly DigitRun[] | undefined;
  times: readonly WrittenTime[] | undefined;
}

export const readWritten = (text: string): WrittenText => ({
  folded: folded(withPlainMarks(text)),
  dates: undefined,
  ascii: undefined,
  spoken: undefined,
  digits: undefined,
  times: undefined,
});

/** A value, read once for all texts. */
export interface ComparedValue {
  readonly tokens: readonly Token[];
  readonly separators: readonly string[];
  /** An address or several: then what stands between two tokens counts. */
  readonly isAddress: boolean;
  readonly number: string | undefined;
  readonly account: RegExp | undefined;
  readonly date: string | undefined;
  /** Its first or last letter is of a script without blanks, so the text must end there too. */
  readonly bounded: { readonly start: boolean; readonly end: boolean };
  /** The same with its host in ASCII, where a host may be written in two ways. */
  readonly ascii: ComparedValue | undefined;
  /** Other spellings of the whole. */
  readonly others: readonly ComparedValue[];
  /** A number as JSON has it: it may be written in words. */
  readonly spoken: number | undefined;
  /** Its digits, which may be written in groups. */
  readonly digits: string | undefined;
  readonly time: string | undefined;
  /** The code of a currency that is also written as a sign or a word. */
  readonly currency: string | undefined;
}

/** Undefined for a value that can never be grounded. */
export function readValue(value: string | number): ComparedValue | undefined {
  const text = typeof value === "number" ? numberText(value) : onOneLine(value);
  if (text === undefined || !isComparable(text)) return undefined;
  const plain = folded(addressOfMailbox(text) ?? text.trim());
  const ascii = asciiHosts(plain);
  const form = compared(isName(plain) ? plain.replaceAll("\u2019", "'") : plain);
  const same = form && {
    ...form,
    others: otherSpellings(plain).flatMap((other) => compared(other) ?? []),
    ...(typeof value === "number" ? { spoken: value } : {}),
  };
  return same && (ascii === plain && !ascii.includes("xn--") ? same : { ...same, ascii: compared(ascii) });
}

/** In an address another apostrophe is another address. */
const isName = (value: string): boolean => !/[@/\\:]/.test(value);

function compared(plain: string): ComparedValue | undefined {
  const tokens = [...tokensOf(plain)];
  // `75 USD` is no 75: the user may have written euros.
  const number = /[\p{L}$€£¥₹₩₽%°]/u.test(plain) ? undefined : numberForm(plain);
  if (tokens.length === 0 && number === undefined) return undefined;
  const account = accountForm(plain) ?? (/^\d{7,15}$/.test(plain) ? plain : undefined);
  const mixed = tokens.some(({ isCjk }) => isCjk) && tokens.some(({ isCjk }) => !isCjk);
  const cut = tokens.length === 1 || (mixed && /[@/.]/.test(plain));
  return {
    tokens,
    separators: tokens.slice(1).map((token, at) => separatorForm(plain, tokens[at]?.end ?? 0, token.start)),
    isAddress: tokens.some(({ form }) => form.includes("@") || form.includes("/")) || looksLikeAddress(plain),
    number,
    account: account === undefined ? undefined : accountPattern(account),
    date: dateForm(plain),
    bounded: { start: cut && tokens[0]?.isCjk === true, end: cut && tokens.at(-1)?.isCjk === true },
    ascii: undefined,
    others: [],
    spoken: undefined,
    digits: groupedDigits(plain),
    time: /^\d{1,2}:\d{2}(?::\d{2})?$/.test(plain) ? timeForm(plain) : undefined,
    currency: isNamedCurrency(plain) ? plain : undefined,
  };
}

/** Places that are looked at. A value that stands at more of them, and is not found, is a common word. */
const MAX_PLACES = 500;

/** @param year the present one, which a date without a year means. */
export function standsIn(text: WrittenText, value: ComparedValue, year?: number): boolean {
  if (text.folded === "") return false;
  if (value.tokens.length > 0 && hasSequence(text.folded, value)) return true;
  if (value.ascii !== undefined && hasSequence(asciiOf(text), value.ascii)) return true;
  if (value.number !== undefined && hasNumber(text.folded, value.number)) return true;
  const account = value.account?.exec(text.folded);
  if (account && isWholeAccount(text, account.index, account.index + account[0].length)) return true;
  if (value.others.some((other) => hasSequence(text.folded, other)) || isWrittenOut(text, value)) return true;
  if (value.date === undefined) return false;
  text.dates ??= datesIn(text.folded);
  return isSameDate(value.date, text.dates, year);
}

/** Not the rest of a longer number, and not ruled out. */
function isWholeAccount(text: WrittenText, start: number, end: number): boolean {
  text.digits ??= digitRunsIn(text.folded);
  return !text.digits.some((run) => run.start < start && run.end >= end) && !isRuledOut(text.folded, start, end);
}
/** In words, in groups, or as a sign. */
function isWrittenOut(text: WrittenText, { spoken, digits, time, currency }: ComparedValue): boolean {
  const stands = ({ start, end }: { readonly start: number; readonly end: number }) =>
    !isRuledOut(text.folded, start, end);
  if (currency !== undefined) return namesCurrency(text.folded, currency);
  if (time !== undefined) {
    text.times ??= timesIn(text.folded);
    return text.times.some((one) => one.form === time && stands(one));
  }
  if (digits !== undefined) {
    text.digits ??= digitRunsIn(text.folded);
    if (text.digits.some((run) => isSameRun(run, digits) && stands(run))) return true;
  }
  if (spoken === undefined) return false;
  text.spoken ??= spokenNumbersIn(text.folded);
  return text.spoken.some((place) => place.value === spoken && stands(place));
}

function asciiOf(text: WrittenText): string {
  text.ascii ??= asciiHosts(text.folded);
  return text.ascii;
}

function hasSequence(text: string, value: ComparedValue): boolean {
  const first = value.tokens[0]?.form ?? "";
  let at = text.indexOf(first);
  for (let places = 0; at !== -1 && places < MAX_PLACES; places += 1) {
    const begin = chunkStart(text, at);
    const end = chunkEnd(text, at);
    if (begin !== undefined && end !== undefined && sequenceAt(text, begin, at, value)) return true;
    at = text.indexOf(first, end === undefined ? at + MAX_RUN : at + 1);
  }
  return false;
}

function sequenceAt(text: string, begin: number, at: number, value: ComparedValue): boolean {
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
        !isRuledOut(text, start, end) &&
        !isScaled(text, token) &&
        !isPartOfGroups(text, start, end, value)
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
  digits !== undefined &&
  tokens.length > 1 &&
  (/\d[ .-]$/.test(text.slice(Math.max(0, start - 2), start)) || /^[ .-]\d/.test(text.slice(end, end + 2)));

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

function hasNumber(text: string, number: string): boolean {
  let places = 0;
  for (const { 0: run, index } of text.matchAll(/(?:(?<![\p{L}\p{N}.,])\.)?\d[\d.,'’]*/gu)) {
    const bare = run.replace(/[.,'’]+$/u, "");
    if (numberForm(bare) !== number.replace(/^-/, "")) continue;
    places += 1;
    const begin = places > MAX_PLACES ? undefined : chunkStart(text, index);
    if (begin === undefined) return false;
    for (const token of tokensOf(text, begin, index + 1))
      if (token.start <= index && token.end >= index + bare.length && numberForm(token.form) === number)
        if (!isRuledOut(text, token.start, token.end) && !isScaled(text, token)) return true;
  }
  return false;
}

/** Finds an account or a phone number however its groups are written. The form holds at most 34 letters, digits and a plus. */
function accountPattern(form: string): RegExp {
  const isCode = /[a-z]/.test(form);
  const isPhone = /^[+0]/.test(form);
  // Blanks alone part two numbers, unless a `+` or a zero says that it is a phone number.
  const between = isCode
    ? "[ .-]?"
    : isPhone
      ? String.raw`(?:[\s()./-]{0,3}|\s?\(0\)\s?)`
      : form.length >= 12
        ? "[ -]?"
        : String.raw`(?:[.-]|\)\s?)?`;
  const [sign, digits] = form.startsWith("+") ? [String.raw`(?:\+|00)`, form.slice(1)] : ["", form];
  const before = String.raw`(?<![^\s"'“„«(,;:<>\[\x60、。「：\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])`;
  // After it neither a letter nor another group of digits: a part of a number is another number.
  // An IBAN ends where its check digits say: a number after a blank is another one.
  const group = isIban(form) ? "[./-]" : "[ ./-]";
  const after = String.raw`(?!\p{N}|[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|${group}\d)(?![@_/])`;
  return new RegExp(`${before}\\(?${sign}${[...digits].join(between)}${after}`, "u");
}
