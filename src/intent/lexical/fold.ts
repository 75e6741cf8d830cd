/**
 * Text as it is compared, with the way back to the message. Full-width and other compatibility forms of letters and
 * digits become the plain ones (NFKC), decomposed letters are composed, curly apostrophes and odd hyphens are made plain,
 * and invisible characters (soft hyphen, zero-width space, marks of direction) are dropped, so that they split no word. Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";
import { continues } from "./script.ts";

export interface FoldedText {
  /** The text for patterns; case and accents are kept. */
  readonly text: string;
  /** The same, unit for unit, in lower case and with the accents of Latin and Greek letters dropped. */
  readonly folded: string;
  /** Index in the message of the character that the unit `index` came from. */
  startOf(index: number): number;
  /** Index in the message behind the character that the unit before `index` came from. */
  endOf(index: number): number;
}

/** Separates the two ends of a long message. A noncharacter: no word, no space, in no keyword. */
export const GAP = "\uffff";

/** @param parts of the message that are read; absent: all of it. */
export function fold(message: string, parts: readonly Span[] = [{ start: 0, end: message.length }]): FoldedText {
  if (parts.length === 1 && /^[\0-\x7f]*$/.test(message)) {
    return { text: message, folded: message.toLowerCase(), startOf: (index) => index, endOf: (index) => index };
  }
  const out: FoldBuffer = { text: "", folded: "", from: [], to: [] };
  for (const { start, end } of parts) {
    if (start > 0) emit(out, { text: `\n${GAP}\n`, folded: `\n${GAP}\n` }, start, start);
    foldPiece(message, start, end, out);
  }
  const { text, folded, from, to } = out;
  return {
    text,
    folded,
    startOf: (index) => from[index] ?? message.length,
    endOf: (index) => to[index - 1] ?? 0,
  };
}

/** A keyword or a literal of a pattern, folded as texts are; each run of spaces is one. */
export function foldWords(words: string): { readonly exact: string; readonly folded: string } {
  const { text, folded } = fold(words);
  const plain = (part: string) => part.replace(/\s+/g, " ").trim();
  return { exact: plain(text.toLowerCase().replaceAll("ς", "σ")), folded: plain(folded) };
}

interface CharacterForm {
  readonly text: string;
  readonly folded: string;
}

interface FoldBuffer {
  text: string;
  folded: string;
  readonly from: number[];
  readonly to: number[];
}

function emit(out: FoldBuffer, { text, folded }: CharacterForm, start: number, end: number): void {
  out.text += text;
  out.folded += folded;
  for (let unit = 0; unit < text.length; unit += 1) {
    out.from.push(start);
    out.to.push(end);
  }
}

function foldPiece(message: string, start: number, end: number, out: FoldBuffer): void {
  let at = start;
  while (at < end) {
    const first = at;
    at += (message.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    while (at < end && continues(message.charCodeAt(at))) at += 1;
    emit(out, formOf(message.slice(first, Math.min(at, end))), first, Math.min(at, end));
  }
}

/** Forms of single characters. A text has few different ones; one that has many would fill the isolate's memory. */
const forms = new Map<string, CharacterForm>();
const MAX_FORMS = 4096;

function formOf(character: string): CharacterForm {
  if (character.length > 1) return makeForm(character);
  const known = forms.get(character);
  if (known) return known;
  const form = makeForm(character);
  if (forms.size >= MAX_FORMS) forms.clear();
  forms.set(character, form);
  return form;
}

const invisible = /^[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+$/;
const apostrophes = /^[\u2018\u2019\u02bc\u2032]$/;
const hyphens = /^[\u2010\u2011\u2212]$/;
/** Symbols keep their form ("…", "℃"), so that keywords, patterns and texts agree on them as they are written. */
const compatible = lazyRegExp(String.raw`^[\p{L}\p{N}\p{Zs}\uff00-\uffef]`, "u");

function makeForm(character: string): CharacterForm {
  if (invisible.test(character)) return { text: "", folded: "" };
  if (apostrophes.test(character)) return { text: "'", folded: "'" };
  if (hyphens.test(character)) return { text: "-", folded: "-" };
  const text = compatible().test(character) ? character.normalize("NFKC") : character;
  return { text, folded: foldedForm(text) };
}

/** Only changes that keep the length: `text` and `folded` are read by the same indices. */
function foldedForm(text: string): string {
  const lower = text.toLowerCase();
  const plain = lower.length === text.length ? lower : text;
  if (plain.length !== 1) return plain;
  if (plain === "İ") return "i";
  if (plain === "ς") return "σ";
  const [base = plain] = plain.normalize("NFD");
  // Not for other scripts, in which the mark makes another letter: が is no か, and й no и.
  return /^[a-z\u0370-\u03ff]$/.test(base) ? base : plain;
}
