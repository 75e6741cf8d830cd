/** Where one word ends and another begins, in scripts with and without spaces. Pure. */
import { latePattern } from "../../lib/once.ts";

const WORD = latePattern(String.raw`^[\p{L}\p{N}\p{M}_]`, "u");
/** Words are not set apart there (Korean: endings are written on), so any place can be a boundary. */
const SPACELESS = latePattern(
  String.raw`^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Mymr}\p{scx=Hangul}]`,
  "u",
);

/** Whether no word goes across the place before `index`. */
export function isBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  const before = lastCharacter(text, index);
  const after = String.fromCodePoint(text.codePointAt(index) ?? 0);
  if (!WORD().test(before) || !WORD().test(after)) return true;
  return SPACELESS().test(before) || SPACELESS().test(after);
}

function lastCharacter(text: string, end: number): string {
  const whole = text.codePointAt(end - 2);
  return whole !== undefined && whole > 0xffff ? String.fromCodePoint(whole) : text.charAt(end - 1);
}
