/** The beginning of a text that is too long for the model. Pure. */

/** Longer runs of digits are no number that anybody would use. */
const LONGEST_NUMBER = 64;

/** At most `max` UTF-16 units, and no half of a character or a number: the first digits of an id are another id. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = startOfNumber(text, max);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}

/** Where the number begins that stands on both sides of `end`; else `end`. */
function startOfNumber(text: string, end: number): number {
  if (!/[\d.eE+-]/.test(text.charAt(end))) return end;
  const before = text.slice(Math.max(0, end - LONGEST_NUMBER), end);
  const [begun = ""] = /-?\d[\d.eE+-]*$/.exec(before) ?? [];
  return begun.length === LONGEST_NUMBER ? end : end - begun.length;
}
