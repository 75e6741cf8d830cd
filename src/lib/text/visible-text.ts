/** Makes untrusted text safe to display: invisible characters and direction overrides become visible signs or escapes. Pure. */
import { lazyRegExp } from "../once.ts";
import { codePointAt, codePointBefore, pictographEnd, replaceUnseen } from "./unseen-characters.ts";

/** With a sign in place of each invisible character. */
export const visible = (text: string): string => replaceUnseen(text, () => "\ufffd");

/** JSON on several lines (on one without an indent), with an escape in place of each. */
export const visibleJson = (value: unknown, indent = 2): string =>
  replaceUnseen(JSON.stringify(value, null, indent), escaped);

function escaped(one: string): string {
  let text = "";
  for (let at = 0; at < one.length; at += 1) text += `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return text;
}

/** A value as an approver sees it: two different values never look the same. */
export interface ShownText {
  readonly text: string;
  /** The text holds an escape. Then each backslash of the value is doubled, so that no value can imitate an escape. */
  readonly escaped: boolean;
}

/** On one line, for a sentence or a code span: line breaks are escapes, and blanks that a page collapses are counted. */
export const shownLine = (text: string): ShownText => shown(text, lineBlanks);

/** With its own layout. A line break at the end is shown as `⏎`; long runs of blanks and of empty lines are counted. */
export const shownBlock = (text: string): ShownText => shown(text, blockBlanks);

/** JSON: its own escapes stay, and so does its layout. */
export const shownJson = (json: string): ShownText => render(json, json.includes("\n") ? blockBlanks : lineBlanks);

/** How a run of spaces, tabs and line breaks is shown. */
type Blanks = (run: string, place: { readonly last: boolean }) => string;

function shown(text: string, blanks: Blanks): ShownText {
  const plain = render(text, blanks);
  return plain.escaped ? { text: render(text.replaceAll("\\", "\\\\"), blanks).text, escaped: true } : plain;
}

/**
 * Invisible characters, those that look like a plain blank, those that few fonts can draw, and the gateway's own marks (of
 * codes, counts and broken lines).
 */
const ambiguous = lazyRegExp(
  String.raw`[ \t\n]+|[\p{C}\p{Z}\p{Variation_Selector}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\u{16fe4}\u{1d159}⟦⟧⟨⟩␠⏎↪]`,
  "gu",
);
const signs = lazyRegExp(String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`, "u");

function render(text: string, blanks: Blanks): ShownText {
  let escapes = false;
  const out = text.replace(ambiguous(), (one, at: number) => {
    const end = at + one.length;
    if (one === " " && at > 0 && end < text.length && text.charAt(end) !== "\n") return one;
    if (/^[ \t\n]/.test(one)) {
      const instead = blanks(one, { last: end === text.length });
      // Files end with a line break: it gets a mark, which is not an escape.
      escapes ||= instead !== one && instead !== END;
      return instead;
    }
    // No writing needs a control character.
    const isControl = one < "\u00a0";
    if (!isControl && (signs().test(one) || isNeeded(one, codePointBefore(text, at), codePointAt(text, end))))
      return one;
    escapes = true;
    return one === "\r" ? "\\r" : escaped(one);
  });
  return { text: out, escaped: escapes };
}

const cjk = lazyRegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff60]`,
  "u",
);
/** Scripts whose letters change their form with a joiner. */
const joining = lazyRegExp(
  `[${"Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar"
    .split(" ")
    .map((name) => `\\p{Script=${name}}`)
    .join("")}]`,
  "u",
);

/** Whether writing needs the character at this place; at any other place it is invisible. */
function isNeeded(one: string, before: string, after: string): boolean {
  switch (one) {
    case "\u3000":
      return (before === "" || before === "\n" || cjk().test(before)) && cjk().test(after);
    case "\u200d":
      if (pictographEnd().test(before) && /\p{Extended_Pictographic}/u.test(after)) return true;
      return joining().test(before) && joining().test(after);
    case "\u200c":
      return joining().test(before) && joining().test(after);
    case "\ufe0e":
    case "\ufe0f":
      return /\p{Extended_Pictographic}/u.test(before) || (/[0-9#*]/.test(before) && after === "\u20e3");
    default:
      return /[\u{e0100}-\u{e01ef}]/u.test(one) && /\p{Script=Han}/u.test(before);
  }
}

const END = "⏎";
const counted = (sign: string, size: number): string => (size === 1 ? sign : `⟨${sign}×${size}⟩`);

/** A page draws a run of blanks as one, and none at either end. A single blank between two words stays. */
function lineBlanks(run: string): string {
  return run.replace(/ +|[\t\n]/g, (one) => (one === "\n" ? "\\n" : one === "\t" ? "\\t" : counted("␠", one.length)));
}

/** Longer runs push what follows out of sight. */
const MAX_SPACES = 40;
const MAX_TABS = 10;
const MAX_BREAKS = 4;

function blockBlanks(run: string, { last }: { readonly last: boolean }): string {
  return run.replace(/ +|\t+|\n+/g, (same, at: number) => {
    const end = at + same.length;
    const isEnd = end === run.length && last;
    if (same.startsWith("\n")) {
      if (isEnd) return counted(END, same.length);
      return same.length > MAX_BREAKS ? `\n${counted(END, same.length)}\n` : same;
    }
    // Blanks at the end of a line are invisible.
    const isTrailing = isEnd || run.charAt(end) === "\n";
    if (same.startsWith("\t")) return isTrailing || same.length > MAX_TABS ? "\\t".repeat(same.length) : same;
    return isTrailing || same.length > MAX_SPACES ? counted("␠", same.length) : same;
  });
}

/** @param max UTF-16 units; a longer text is cut and ends with `…`. */
export function plainLine(text: string, max: number): string {
  const begun = text.length > 4 * max ? beginningOf(text, 4 * max) : text;
  const line = shownLine(begun.replace(/\s+/g, " ").trim()).text;
  if (line.length <= max && begun.length === text.length) return line;
  return `${beginningOf(line, max).trimEnd()}…`;
}

/** The beginning of a text, without half a character at its end. */
export function beginningOf(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff && text.length > max ? max - 1 : max);
}
