/**
 * The short codes that distinguish waiting calls, and how they are found in the chat. Pure.
 *
 * In the frame a code stands between brackets that nothing else may hold: values have them replaced (`visible-text.ts`), and
 * neither Markdown nor HTML escapes them. What the model writes itself may hold them, but it cannot know the code of a call that waits.
 */

/** Without what is mistaken for another: O and 0, I and 1. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const digits = "23456789";
const length = 4;

/**
 * A code of letters and digits with at least one digit, so that it is no word of any language.
 * @param chance numbers from 0 up to 1, at least five of them.
 */
export function makeCode(chance: readonly number[]): string {
  const at = (text: string, index: number) => text[Math.floor((chance[index] ?? 0) * text.length)] ?? "";
  const digitAt = Math.floor((chance[length] ?? 0) * length);
  return Array.from({ length }, (_, index) => at(index === digitAt ? digits : letters + digits, index)).join("");
}

/** As the frame writes it. */
export const markCode = (code: string): string => `⟦${code}⟧`;

const marked = /⟦[\s\\*_`]{0,8}([A-Za-z2-9]{4})[\s\\*_`]{0,8}⟧/g;
const behindTitle = new RegExp(String.raw`\*\* ?${marked.source}`, "g");
const MAX_CODES = 32;
/** The frame stands at the end. */
const LOOKED_AT = 200_000;

/** The codes that stand in frames of this text, each once, in order; of many the last, since the model may write some before. */
export function readCodes(assistantText: string): string[] {
  const found = new Set<string>();
  for (const [, code = ""] of assistantText.slice(-LOOKED_AT).matchAll(marked)) found.add(code.toUpperCase());
  return [...found].slice(-MAX_CODES);
}

/** The codes that a question has: behind its title, and not before one, as `answers/decided-elsewhere.ts` writes them. */
export function readAskedCodes(assistantText: string): string[] {
  const asked = new Set<string>();
  for (const [, code = ""] of assistantText.slice(-LOOKED_AT).matchAll(behindTitle)) asked.add(code.toUpperCase());
  return readCodes(assistantText).filter((code) => asked.has(code));
}

/** What stands before the line of the first code; all of it where there is none. */
export const wordsBeforeFrames = (assistantText: string): string =>
  assistantText.slice(0, assistantText.length - framesIn(assistantText).length);

/** A text from the line of its first code on; "" where there is none. */
export function framesIn(assistantText: string): string {
  const end = assistantText.slice(-LOOKED_AT);
  const at = end.search(marked);
  return at === -1 ? "" : end.slice(end.lastIndexOf("\n", at) + 1);
}

const titled = /\*\*(?:\d+\/\d+ )?([^\n]{1,600})\*\* ⟦/g;

/** The titles in frames of this text, as the frame writes them. */
export const titlesIn = (frames: string): readonly string[] =>
  [...frames.slice(-LOOKED_AT).matchAll(titled)].map(([, title = ""]) => title);
