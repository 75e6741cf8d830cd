/** What stands in quotation marks, of most scripts. Pure, and linear: no place is looked at twice for the same mark. */
import { hasLetterOrDigit } from "../../lib/text/characters.ts";
import type { Span } from "./spans.ts";

/** UTF-16 units between the marks. What is longer is a passage. */
const MAX_LENGTH = 300;

/** By the opening mark, what closes it. German closes with the mark that English opens with. */
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
/** Also apostrophes, inch marks, or closing marks: they open only where a word could begin, and close only where one ends. */
const CAREFUL = new Set(['"', "'", "‘", "»"]);

/** Where the next mark that may close stands, by the opening mark; the end of the text where there is none. */
type Closes = Map<string, number>;

export function findQuoted(text: string): Span[] {
  const spans: Span[] = [];
  const closes: Closes = new Map();
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(OPENING)) {
    if (index < from || !opens(text, index, mark)) continue;
    const close = nextClose(text, index + 1, mark, closes);
    const inner = close - index <= MAX_LENGTH + 1 ? text.slice(index + 1, close) : "\n";
    if (close === text.length || inner.includes("\n") || inner.trim() === "") continue;
    spans.push({ value: inner.trim(), at: index, end: close + 1 });
    from = close + 1;
  }
  return spans;
}

const opens = (text: string, at: number, mark: string): boolean =>
  !CAREFUL.has(mark) || !(hasLetterOrDigit(text.charAt(at - 1)) || /^\s?$/.test(text.charAt(at + 1)));

function nextClose(text: string, from: number, mark: string, closes: Closes): number {
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
