/** The kind of writing that a UTF-16 unit belongs to, as far as it decides the ends of words. Pure. */
import { lazyRegExp } from "../../lib/once.ts";

export const scripts = {
  /** Punctuation, spaces, symbols. */
  none: 0,
  /** Written with spaces between words: letters, digits, `_`, and the marks that follow them. */
  spaced: 1,
  han: 2,
  hiragana: 3,
  katakana: 4,
  hangul: 5,
  /** Thai, Lao, Khmer, Burmese, Tibetan: words follow each other without spaces. */
  unspaced: 6,
} as const;
export type Script = (typeof scripts)[keyof typeof scripts];

/** Kind plus one of each unit that was looked up; the table is the same for all messages. */
const known = new Uint8Array(0x1_0000);

export function scriptOf(unit: number): Script {
  const entry = known[unit] ?? 0;
  if (entry > 0) return (entry - 1) as Script;
  const script = find(unit);
  known[unit] = script + 1;
  return script;
}

/** The unit goes with the one before it: a combining mark, a half-width kana's voicing, a jamo inside its syllable. */
export function continues(unit: number): boolean {
  if (unit < 0x300) return false;
  if (unit === 0xff9e || unit === 0xff9f || (unit >= 0x1160 && unit <= 0x11ff)) return true;
  const entry = marks[unit] ?? 0;
  if (entry > 0) return entry === 2;
  const is = /^\p{M}$/u.test(String.fromCharCode(unit));
  marks[unit] = is ? 2 : 1;
  return is;
}
const marks = new Uint8Array(0x1_0000);

const ofWords = lazyRegExp(String.raw`^[\p{L}\p{N}\p{M}_]$`, "u");

function find(unit: number): Script {
  const inside = (first: number, last: number) => unit >= first && unit <= last;
  // Variation selectors and the keycap go with a symbol: the word behind an emoji is a word of its own.
  if (inside(0xfe00, 0xfe0f) || unit === 0x20e3) return scripts.none;
  if (inside(0x3041, 0x309f)) return scripts.hiragana;
  if ((inside(0x30a1, 0x30ff) && unit !== 0x30fb) || inside(0x31f0, 0x31ff)) return scripts.katakana;
  if (inside(0x3400, 0x4dbf) || inside(0x4e00, 0x9fff) || inside(0xf900, 0xfaff) || inside(0x3005, 0x3007)) {
    return scripts.han;
  }
  // Han beyond the first plane: both halves of the pair.
  if (inside(0xd840, 0xd888)) return scripts.han;
  if (inside(0xac00, 0xd7af) || inside(0x1100, 0x11ff) || inside(0x3131, 0x318e)) return scripts.hangul;
  if (inside(0x0e01, 0x0fff) || inside(0x1000, 0x109f) || inside(0x1780, 0x17ff)) return scripts.unspaced;
  return ofWords().test(String.fromCharCode(unit)) ? scripts.spaced : scripts.none;
}
