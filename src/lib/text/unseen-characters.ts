/** Finds invisible characters that a model reads: a hidden message can be written in them. Pure. */
import { isObject } from "../json/json-value.ts";
import { lazyRegExp } from "../once.ts";

/**
 * Invisible characters: controls except line breaks and tabs, format characters, fillers, tags. Format characters of Arabic,
 * Syriac and Kaithi that are visible signs are not among them. The flags of England, Scotland and Wales are spelled in tags.
 */
const unseen = lazyRegExp(
  String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}` +
    String.raw`|\r(?!\n)|[^\P{Cc}\n\r\t]|(?![\u200c\u200d]|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])\p{Cf}` +
    String.raw`|[\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2065\u3164\uffa0\ufff0-\ufff8\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]`,
  "gu",
);

/** Joiners and variation selectors. Scripts and emoji need one of each at most; others can spell a hidden message. */
const modifiers = lazyRegExp(String.raw`[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+`, "gu");

const FLAG = "\u{1f3f4}";

/** A quick test: most texts are plain. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** @param by replaces each invisible character. */
export function replaceUnseen(text: string, by: (one: string) => string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(unseen(), (one) => (one.startsWith(FLAG) ? one : by(one)))
    .replace(modifiers(), (run, at: number, whole: string) => {
      const kept = neededOf(run, codePointBefore(whole, at), codePointAt(whole, at + run.length));
      return kept + [...run.slice(kept.length)].map(by).join("");
    });
}

export const codePointBefore = (text: string, at: number): string =>
  /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? "";
export const codePointAt = (text: string, at: number): string => /^./su.exec(text.slice(at, at + 2))?.[0] ?? "";

/** The beginning of a run that writing needs: one selector, then one joiner. */
function neededOf(run: string, previous: string, next: string): string {
  const [first = "", second = ""] = run;
  const selector = needsSelector(first, previous, second || next) ? first : "";
  const joiner = selector === "" ? first : second;
  const isLast = selector.length + joiner.length === run.length;
  return needsJoiner(joiner, selector || previous, isLast ? next : "") ? selector + joiner : selector;
}

const pictograph = lazyRegExp(String.raw`\p{Extended_Pictographic}`, "u");
/** A pictograph before a joiner may end with these. */
export const pictographEnd = lazyRegExp(String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]`, "u");
/** Scripts whose letters change their form with a joiner, and the marks on their letters. */
const joining = lazyRegExp(
  `[\\p{M}${"Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar"
    .split(" ")
    .map((name) => `\\p{Script=${name}}`)
    .join("")}]`,
  "u",
);

function needsSelector(one: string, previous: string, next: string): boolean {
  if (one === "\ufe0e" || one === "\ufe0f")
    return pictograph().test(previous) || (/[0-9#*]/.test(previous) && next === "\u20e3");
  if (/[\u180b-\u180f]/.test(one)) return /\p{Script=Mongolian}/u.test(previous);
  if (/[\ufe00-\ufe0d]/.test(one)) return /[\p{Script=Han}\p{Sm}\p{Script=Myanmar}]/u.test(previous);
  return /[\u{e0100}-\u{e01ef}]/u.test(one) && /\p{Script=Han}/u.test(previous);
}

function needsJoiner(one: string, previous: string, next: string): boolean {
  if (one === "\u200d" && pictographEnd().test(previous)) return pictograph().test(next);
  return (one === "\u200c" || one === "\u200d") && joining().test(previous);
}

/** Without them: for text that a model reads, and that must say no more than a person sees. */
export const withoutUnseen = (text: string): string => replaceUnseen(text, () => "");

/** A JSON value, each of its texts without them. */
export function visibleTexts<T>(value: T): T {
  if (typeof value === "string") return withoutUnseen(value) as T;
  if (Array.isArray(value)) return value.map(visibleTexts) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visibleTexts(part)])) as T;
}

export const hasUnseen = (text: string): boolean => withoutUnseen(text) !== text;
