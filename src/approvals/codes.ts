/**
 * Makes the short codes that distinguish waiting calls, and finds them in the chat. Pure.
 *
 * In a question's frame a code is between brackets that nothing else may contain: they are replaced in values (`visible-text.ts`), and
 * neither Markdown nor HTML escapes them. The model's own text may contain them, but the model cannot know the code of a waiting call.
 */

/** Without characters that look alike: O and 0, I and 1. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const digits = "23456789";
const length = 4;

/**
 * Makes a code with at least one digit, so that it is no word of any language.
 * @param chance numbers from 0 up to 1, at least five of them.
 */
export function makeCode(chance: readonly number[]): string {
  const at = (text: string, index: number) => text[Math.floor((chance[index] ?? 0) * text.length)] ?? "";
  const digitAt = Math.floor((chance[length] ?? 0) * length);
  return Array.from({ length }, (_, index) => at(index === digitAt ? digits : letters + digits, index)).join("");
}

/** The code as the frame writes it. */
export const markCode = (code: string): string => `⟦${code}⟧`;

const marked = /⟦[\s\\*_`]{0,8}([A-Za-z2-9]{4})[\s\\*_`]{0,8}⟧/g;
const behindTitle = new RegExp(String.raw`\*\* ?${marked.source}`, "g");
const MAX_CODES = 32;
/** UTF-16 units from the end of the text, because frames are at the end. */
const LOOKED_AT = 200_000;

/** The codes in frames of this text, each once, in order. Only the last 32, because the model may write some before them. */
export function readCodes(assistantText: string): string[] {
  const found = new Set<string>();
  for (const [, code = ""] of assistantText.slice(-LOOKED_AT).matchAll(marked)) found.add(code.toUpperCase());
  return [...found].slice(-MAX_CODES);
}

/** The codes of questions, which follow a title. A code before a title is from a note of `answers/decided-elsewhere.ts`. */
export function readAskedCodes(assistantText: string): string[] {
  const asked = new Set<string>();
  for (const [, code = ""] of assistantText.slice(-LOOKED_AT).matchAll(behindTitle)) asked.add(code.toUpperCase());
  return readCodes(assistantText).filter((code) => asked.has(code));
}

/** The text before the line of the first code; the whole text if there is no code. */
export const wordsBeforeFrames = (assistantText: string): string =>
  assistantText.slice(0, assistantText.length - framesIn(assistantText).length);

/** The text from the line of its first code on; "" if there is no code. */
export function framesIn(assistantText: string): string {
  const end = assistantText.slice(-LOOKED_AT);
  const at = end.search(marked);
  return at === -1 ? "" : end.slice(end.lastIndexOf("\n", at) + 1);
}

const titled = /\*\*(?:\d+\/\d+ )?([^\n]{1,600})\*\* ⟦/g;

/** The titles in these frames, as written there. */
export const titlesIn = (frames: string): readonly string[] =>
  [...frames.slice(-LOOKED_AT).matchAll(titled)].map(([, title = ""]) => title);
