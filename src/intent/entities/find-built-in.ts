/** Finds the entities that every policy has: URLs, e-mail addresses, dates, quantities and quotations. Pure. */

import { lazyRegExp } from "../../lib/once.ts";
import { hasLetterOrDigit } from "../../lib/text/characters.ts";
import type { BuiltInEntity } from "../../policy/document/entity-parts.ts";
import { findDates } from "./find-dates.ts";
import { findQuantities } from "./find-quantities.ts";
import type { Span } from "./spans.ts";

export interface BuiltInSpan extends Span {
  readonly name: BuiltInEntity;
}

/** Mostly private: the record shows that they were there, not their values. */
export const ALWAYS_REDACTED: ReadonlySet<string> = new Set<BuiltInEntity>(["email", "url", "quoted"]);

const finders: readonly (readonly [BuiltInEntity, (text: string) => Span[]])[] = [
  ["url", findUrls],
  ["email", findEmails],
  ["date", findDates],
  ["quantity", findQuantities],
];

/**
 * In the order of the text. If two overlap the longer counts, if they are equal the first in the order above: the date in
 * a URL is no date. A quotation is an entity, and so are the entities inside it.
 */
export function findBuiltIn(text: string): readonly BuiltInSpan[] {
  const candidates = finders.flatMap(([name, find]) => find(text).map((span) => ({ name, ...span })));
  const quoted = findQuoted(text).map((span) => ({ name: "quoted" as const, ...span }));
  return [...withoutOverlaps(candidates), ...quoted].sort((a, b) => a.at - b.at || b.end - a.end);
}

/** Longest first; the spans so far are looked up by the characters they cover, so that many spans take linear time. */
function withoutOverlaps(candidates: readonly BuiltInSpan[]): BuiltInSpan[] {
  const covered = new Set<number>();
  const spans: BuiltInSpan[] = [];
  for (const span of [...candidates].sort((a, b) => b.end - b.at - (a.end - a.at))) {
    // A longer span that overlaps this one covers one of its ends.
    if (covered.has(span.at) || covered.has(span.end - 1)) continue;
    for (let at = span.at; at < span.end; at++) covered.add(at);
    spans.push(span);
  }
  return spans;
}

// E-mail addresses and URLs: the text around each `@` and each `http` is read, up to the longest that counts.

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const MAX_URL = 2_000;

const LOCAL = /[A-Za-z0-9._%+'-]/;
const DOMAIN = /[A-Za-z0-9.-]/;
const WHOLE_DOMAIN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

function findEmails(text: string): Span[] {
  const spans: Span[] = [];
  for (let sign = text.indexOf("@"); sign !== -1; sign = text.indexOf("@", sign + 1)) {
    let at = sign;
    while (at > 0 && sign - at < MAX_LOCAL && LOCAL.test(text.charAt(at - 1))) at--;
    // A quotation mark or a full stop before it belongs to the sentence.
    while (at < sign && /[.'%+-]/.test(text.charAt(at))) at++;
    let end = sign + 1;
    while (end < text.length && end - sign <= MAX_DOMAIN && DOMAIN.test(text.charAt(end))) end++;
    while (end > sign && /[.-]/.test(text.charAt(end - 1))) end--;
    const [local, domain] = [text.slice(at, sign), text.slice(sign + 1, end)];
    if (local === "" || local.endsWith(".") || local.includes("..") || !WHOLE_DOMAIN.test(domain)) continue;
    spans.push({ value: `${local}@${domain.toLowerCase()}`, at, end });
  }
  return spans;
}

/** The characters of a URL by RFC 3986, but for marks that in running text belong to the sentence. */
const ASCII_URL = /(?<![A-Za-z0-9@./_-])(?:https?:\/\/|www\.)[!#-&(-;=?-[\]_a-z~]{1,2000}/gi;
/** Letters of other scripts count if one follows a `/` or the like: `…/wiki/日本語`, but not `example.comを見て`. */
const OTHER_LETTERS = lazyRegExp(String.raw`^[\p{L}\p{N}\p{M}!#-&(-;=?_~]+`, "u");
const LAST = /[.,:;!?&*]$/;

function findUrls(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(ASCII_URL)) {
    let url = match[0];
    if (/[/=#?&_-]$/.test(url)) {
      const rest = text.slice(match.index + url.length, match.index + MAX_URL);
      url += OTHER_LETTERS().exec(rest)?.[0] ?? "";
    }
    url = withoutTrail(url);
    const value = /^www\./i.test(url) ? `https://${url}` : url;
    if (URL.canParse(value) && new URL(value).hostname.length > 0) {
      spans.push({ value, at: match.index, end: match.index + url.length });
    }
  }
  return spans;
}

/** Without the sentence's own marks, and a bracket that was opened before the URL. */
function withoutTrail(url: string): string {
  let rest = url;
  let open = count(rest, "(") - count(rest, ")");
  let openSquare = count(rest, "[") - count(rest, "]");
  for (;;) {
    if (LAST.test(rest)) rest = rest.slice(0, -1);
    else if (open < 0 && rest.endsWith(")")) {
      rest = rest.slice(0, -1);
      open++;
    } else if (openSquare < 0 && rest.endsWith("]")) {
      rest = rest.slice(0, -1);
      openSquare++;
    } else return rest;
  }
}

const count = (text: string, char: string): number => text.split(char).length - 1;

// Quotations, in the marks of most scripts. Linear: no place is searched twice for the same mark.

/** UTF-16 units between the marks. A longer one is a passage. */
const MAX_QUOTED = 300;

/** The closing marks of each opening mark. German closes with the mark that English opens with. */
const CLOSING: Readonly<Record<string, RegExp>> = {
  '"': /"/g,
  "“": /”/g,
  "„": /[“”]/g,
  "«": /»/g,
  "»": /«/g,
  "‹": /›/g,
  "「": /」/g,
  "『": /』/g,
  "《": /》/g,
  "‘": /’/g,
  "'": /'/g,
};
const OPENING = /["“„«»‹「『《‘']/g;
/** Also apostrophes, inch marks, or closing marks: they open only before a word, and close only after one. */
const CAREFUL = new Set(['"', "'", "‘", "»"]);

/** The index of the next mark that may close, by the opening mark; the end of the text if there is none. */
type ClosingMarks = Map<string, number>;

function findQuoted(text: string): Span[] {
  const spans: Span[] = [];
  const closes: ClosingMarks = new Map();
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(OPENING)) {
    if (index < from || !opens(text, index, mark)) continue;
    const close = nextClose(text, index + 1, mark, closes);
    const inner = close - index <= MAX_QUOTED + 1 ? text.slice(index + 1, close) : "\n";
    if (close === text.length || inner.includes("\n") || inner.trim() === "") continue;
    spans.push({ value: inner.trim(), at: index, end: close + 1 });
    from = close + 1;
  }
  return spans;
}

const opens = (text: string, at: number, mark: string): boolean =>
  !CAREFUL.has(mark) || !(hasLetterOrDigit(text.charAt(at - 1)) || /^\s?$/.test(text.charAt(at + 1)));

function nextClose(text: string, from: number, mark: string, closes: ClosingMarks): number {
  const known = closes.get(mark);
  if (known !== undefined && known >= from) return known;
  const closing = CLOSING[mark] ?? /$/g;
  closing.lastIndex = from;
  let match = closing.exec(text);
  while (match && CAREFUL.has(mark) && isInWord(text, match.index)) match = closing.exec(text);
  const close = match?.index ?? text.length;
  closes.set(mark, close);
  return close;
}

/** An apostrophe, or a mark that opens. */
const isInWord = (text: string, at: number): boolean =>
  hasLetterOrDigit(text.charAt(at + 1)) || /\s/.test(text.charAt(at - 1));
