/**
 * Splits a text into tokens: words, and units that must never be cut (addresses, URLs, paths, numbers). Pure.
 *
 * A mail address is one token, so no part of it is ever a value of its own. Chinese and Japanese have no blanks between words:
 * each letter is a token, and a boundary of adjacent ASCII text.
 */
import { lazyRegExp } from "../../../lib/once.ts";
import { canonicalToken } from "./canonical.ts";

export interface Token {
  readonly form: string;
  readonly start: number;
  readonly end: number;
  readonly isCjk: boolean;
}

const CJK = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Bopo}\u30fc\u3005`;
/** Characters that no token contains. Hidden characters are not among them: a token with one matches nothing. */
const OUTSIDE = String.raw`\s"“”„«»‹›‘\x60{}()\[\]<>|,;!?…،؛؟、。「」『』【】《》〈〉〔〕・（）—–`;
/** A letter that makes one word with an adjacent number: letters of scripts without blanks do not. */
const LETTER = `[^\\P{L}${CJK}]`;
const PART = String.raw`(?:${LETTER}|[\p{N},.])`;
const pieces = lazyRegExp(
  // A URL may hold commas and brackets; then a letter of a script without blanks; then any other run.
  // A number with separators; any other comma ends a token.
  String.raw`(?<!${PART})[$€£¥₹+−-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?!${LETTER}|[\d,])|(?<!${PART})[$€£¥₹+−-]?\d+(?:\.\d{3})*,\d{1,2}(?!${LETTER}|[\d,])|[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"“”„«»\x60<>${CJK}、。「」『』]+|[${CJK}]\p{M}*|[^${OUTSIDE}${CJK}]+`,
  "gu",
);
const cjkStart = lazyRegExp(`^[${CJK}]`, "u");

/** @param text folded. */
export function* tokensOf(text: string, from = 0, to = text.length): Generator<Token> {
  const pattern = pieces();
  for (let at = from; at < to; ) {
    // The pattern is shared: another reader may have moved it between two tokens.
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null || found.index >= to) return;
    at = pattern.lastIndex;
    const [piece] = found;
    if (cjkStart().test(piece)) yield { form: piece, start: found.index, end: found.index + piece.length, isCjk: true };
    else yield* plainTokens(text, piece, found.index);
  }
}

/** Part of the value: a scheme, and a host with its port. */
const NO_LABELS = new Set(["mailto:", "tel:", "localhost:"]);

/** Two whole mail addresses with no blank between them. */
function pairHead(piece: string): string | undefined {
  const at = piece.search(/[/&]/);
  return at > 0 && mail.test(piece.slice(0, at)) && mail.test(piece.slice(at + 1)) ? piece.slice(0, at + 1) : undefined;
}
const mail = /^[^@/&]+@[^@/&.]+(?:\.[^@/&.]+)+$/u;
/** A preposition of Hebrew or Arabic, which a hyphen joins to a word in Latin letters. */
const hyphened = lazyRegExp(String.raw`^[\p{sc=Hebr}\p{sc=Arab}]{1,3}-(?=[a-z0-9])`, "u");

function* plainTokens(text: string, piece: string, start: number): Generator<Token> {
  const head = pairHead(piece) ?? hyphened().exec(piece)?.[0];
  if (head === undefined) return yield* wordTokens(text, piece, start);
  yield* wordTokens(text, head.slice(0, -1), start);
  yield* wordTokens(text, piece.slice(head.length), start + head.length);
}

function* wordTokens(text: string, piece: string, start: number): Generator<Token> {
  const trimmed = piece.includes("://") ? withoutClosing(piece) : piece;
  // `to:anna@example.com`, `id=55`, `PR#93`, `n°93`, `Anna's`: the label and the genitive are no part of the value.
  const label = /^(?:\p{L}{2,20}(?:=|:(?!\/\/))|\p{L}{1,10}(?:#|°)(?=\d))(?=.)/u.exec(trimmed)?.[0] ?? "";
  const isLabel = label !== "" && !NO_LABELS.has(label) && !trimmed.includes("://");
  if (isLabel) yield tokenAt(label, start);
  const at = isLabel ? start + label.length : start;
  const body = isLabel ? trimmed.slice(label.length) : trimmed;
  const value = /^(.+?)(?:['’]s)?$/u.exec(body)?.[1] ?? body;
  const form = canonicalToken(value);
  // `张三@example.com`: the letters before belong to the address.
  const isCut = value.startsWith("@") && value.includes(".") && at > 0 && /[^\s]/u.test(text.charAt(at - 1));
  if (form === "" || isListMark(text, value, at)) return;
  // A stop at the end ends a sentence: it belongs to the text between tokens.
  const end = at + value.replace(/[.,:;!?…'’]+$/u, "").length;
  yield { form: isCut ? `@${form}` : form, start: at, end, isCjk: false };
}

const tokenAt = (piece: string, start: number): Token => ({
  form: canonicalToken(piece),
  start,
  end: start + piece.length,
  isCjk: false,
});

/** `1.` at the beginning of a line numbers a list; it is no value. */
function isListMark(text: string, value: string, at: number): boolean {
  if (!/^\d{1,2}\.?$/.test(value)) return false;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const isFirst = text.slice(lineStart, at).trim() === "";
  const after = text.slice(at + value.length, at + value.length + 2);
  return isFirst && (value.endsWith(".") ? /^\s\S/u.test(after) : /^\)\s?/.test(after));
}

/** Marks that close the sentence or the bracket around a URL. */
function withoutClosing(url: string): string {
  // Brackets that are open before `end`, by the one that closes them; below 0 if more are closed than opened.
  const open = { ")": countOf(url, "(") - countOf(url, ")"), "]": countOf(url, "[") - countOf(url, "]") };
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url.charAt(end - 1);
    if (last === ")" || last === "]") {
      if (open[last] >= 0) break;
      open[last] += 1;
    } else if (!/[.,;:!?'*}|]/.test(last)) break;
  }
  return url.slice(0, end);
}

const countOf = (text: string, mark: string): number => text.split(mark).length - 1;

/** The parts of a text between tokens, as they are compared: all blanks are one. */
export const separatorForm = (text: string, from: number, to: number): string =>
  text.slice(from, to).replace(/\s+/gu, " ");
