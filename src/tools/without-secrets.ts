/**
 * Masks secrets in a server's answer before the model reads it: some servers echo what they were sent. Pure.
 *
 * A secret is found as it is, in JSON's escapes and percent-encoded. One of 12 letters and digits or more is also found in
 * other letter case, with other signs between its letters, backwards, and in hexadecimal or base64, by itself or in a longer text.
 * A server can write it in other ways, or in parts: a server that is sent a secret is trusted with it.
 */
import { withoutUnseen } from "../lib/text/unseen-characters.ts";

/** Shorter ones would be found in unrelated text. */
const MIN_LENGTH = 6;
const MIN_FOLDED = 12;

const SECRET_MASK = "[secret]";

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const written = new Set(secrets.flatMap(writtenForms).filter((form) => form.length >= MIN_LENGTH));
  if (written.size === 0) return text;
  // The model gets the text without invisible characters: removing them must not put a secret together.
  const seen = withoutUnseen(text);
  let masked = [...written].some((form) => seen.includes(form)) ? seen : text;
  for (const form of written) masked = masked.replaceAll(form, SECRET_MASK);
  const folded = new Set(secrets.flatMap(foldedForms).filter((form) => form.length >= MIN_FOLDED));
  return folded.size === 0 ? masked : withoutFolded(masked, folded);
}

const writtenForms = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

function foldedForms(secret: string): readonly string[] {
  const letters = lettersOf(secret);
  // Forms of a short secret would be found in other text too.
  if (letters.length < MIN_FOLDED) return [];
  const bytes = Buffer.from(secret);
  return [
    letters,
    [...letters].reverse().join(""),
    bytes.toString("hex"),
    ...[0, 1, 2].map((before) => lettersOf(base64Within(bytes, before))),
  ];
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The base64 of the bytes after `before` others (modulo 3), without the characters that depend on the neighbours. */
function base64Within(bytes: Uint8Array, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function withoutFolded(text: string, forms: ReadonlySet<string>): string {
  const folded = foldText(text);
  const found: Span[] = [];
  for (const form of forms) {
    for (let at = folded.indexOf(form); at !== -1; at = folded.indexOf(form, at + form.length))
      found.push({ from: at, to: at + form.length });
  }
  if (found.length === 0) return text;
  let masked = "";
  let done = 0;
  for (const { from, to } of unfold(text, joined(found))) {
    masked += text.slice(done, from) + SECRET_MASK;
    done = to;
  }
  return masked + text.slice(done);
}

/** In order; those that touch or overlap as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const whole: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  return whole;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function foldText(text: string): string {
  const folded = new Uint8Array(text.length);
  let length = 0;
  walk(text, (letter) => {
    folded[length++] = letter;
  });
  return Buffer.from(folded.buffer, 0, length).toString("latin1");
}

/** The positions of spans of the folded text in the text itself. @param spans in order; none overlaps another. */
function unfold(text: string, spans: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  let index = 0;
  let start = 0;
  walk(text, (_, from, to) => {
    const span = spans[found.length];
    if (index === span?.from) start = from;
    index++;
    if (index === span?.to) found.push({ from: start, to });
  });
  return found;
}

const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LETTER_F = 0x66;

/** By character code: a letter in lower case or a digit; 0 for anything else. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

function walk(text: string, visit: (letter: number, from: number, to: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    const length = unit === PERCENT || unit === BACKSLASH ? escapeLength(text, at) : 1;
    // The digits of an escape are its last ones; a line break's has none.
    const code = length === 1 ? unit : length === 2 ? 0 : hexAt(text, at + (length === 3 ? 1 : 2), at + length);
    const letter = FOLDED[code] ?? 0;
    if (letter !== 0) visit(letter, at, at + length);
    at += length;
  }
}

/** The length of `%41`, `\u0041`, `\x41` or `\n`; 1 if it is no escape. */
function escapeLength(text: string, at: number): number {
  if (text.charCodeAt(at) === PERCENT) return hexAt(text, at + 1, at + 3) < 0 ? 1 : 3;
  const kind = text.charAt(at + 1);
  if (kind === "u") return hexAt(text, at + 2, at + 6) < 0 ? 1 : 6;
  if (kind === "x") return hexAt(text, at + 2, at + 4) < 0 ? 1 : 4;
  return kind !== "" && "bfnrt".includes(kind) ? 2 : 1;
}

/** The number that these hexadecimal digits write; -1 if they are none. */
function hexAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const letter = FOLDED[text.charCodeAt(at)] ?? 0;
    if (letter === 0 || letter > LETTER_F) return -1;
    value = value * 16 + (letter <= DIGIT_9 ? letter - DIGIT_0 : letter - LETTER_F + 15);
  }
  return value;
}

/** Masks every text in the value. */
export function masked<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === "string") return withoutSecrets(value, secrets) as T;
  if (Array.isArray(value)) return value.map((one) => masked(one, secrets)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, masked(part, secrets)])) as T;
}
