/**
 * The short codes that tell one waiting call from another, and how they are found again in the chat. Pure.
 *
 * In the frame a code stands between brackets that nothing else may hold: values have them replaced (`plain-line.ts`), and
 * neither Markdown nor HTML escapes them. What the model writes itself may hold them, but a code that waits it cannot know.
 */

/** As the frame writes it. */
export const markCode = (code: string): string => `⟦${code}⟧`;

const marked = /⟦[\s\\*_`]{0,8}([A-Za-z2-9]{4})[\s\\*_`]{0,8}⟧/g;
const MAX_CODES = 32;
/** The frame stands at the end. */
const LOOKED_AT = 200_000;

/** The codes that stand in frames of this text, each once, in order. */
export function readCodes(assistantText: string): string[] {
  const found = new Set<string>();
  for (const [, code = ""] of assistantText.slice(-LOOKED_AT).matchAll(marked)) {
    if (found.size < MAX_CODES) found.add(code.toUpperCase());
  }
  return [...found];
}
