/**
 * A text by its ASCII letters and digits alone, in lower case, with percent-encoding and JSON's escapes read: two texts that
 * differ in case, blanks, signs and escapes fold alike. Pure. Linear in the text, in time and memory.
 */

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function foldText(text: string): string {
  const folded = new Uint8Array(text.length);
  let length = 0;
  walk(text, (letter) => {
    folded[length++] = letter;
  });
  return Buffer.from(folded.buffer, 0, length).toString("latin1");
}

/** Where spans of the folded text stand in the text itself. @param spans in order; none overlaps another. */
export function unfold(text: string, spans: readonly Span[]): readonly Span[] {
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

/** Of `%41`, `\u0041`, `\x41` or `\n`; 1 where it is none. */
function escapeLength(text: string, at: number): number {
  if (text.charCodeAt(at) === PERCENT) return hexAt(text, at + 1, at + 3) < 0 ? 1 : 3;
  const kind = text.charAt(at + 1);
  if (kind === "u") return hexAt(text, at + 2, at + 6) < 0 ? 1 : 6;
  if (kind === "x") return hexAt(text, at + 2, at + 4) < 0 ? 1 : 4;
  return kind !== "" && "bfnrt".includes(kind) ? 2 : 1;
}

/** The number that these hexadecimal digits write; -1 where they are none. */
function hexAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const letter = FOLDED[text.charCodeAt(at)] ?? 0;
    if (letter === 0 || letter > LETTER_F) return -1;
    value = value * 16 + (letter <= DIGIT_9 ? letter - DIGIT_0 : letter - LETTER_F + 15);
  }
  return value;
}
