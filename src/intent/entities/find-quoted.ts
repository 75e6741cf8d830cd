/** What stands in quotation marks, of most scripts. Pure; linear, since a quotation is short and in one paragraph. */
import type { Span } from "./span.ts";

/** UTF-16 units between the marks. */
const MAX_LENGTH = 300;

/** By the opening mark, what closes it. German and English share `“`, once closing, once opening. */
const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "„": "“”",
  "«": "»",
  "»": "«",
  "‹": "›",
  "「": "」",
  "『": "』",
  "《": "》",
  "‘": "’",
  "'": "'",
};
const OPENING = /["“„«»‹「『《‘']/g;
/** Also apostrophes, inch marks, or closing marks: they open only where a word could begin, and close only where one ends. */
const CAREFUL = new Set(['"', "'", "‘", "»"]);
const LETTER = /[\p{L}\p{N}]/u;

export function findQuoted(text: string): Span[] {
  const spans: Span[] = [];
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    const end = endOf(text, match.index, match[0]);
    if (end === undefined) continue;
    const value = text.slice(match.index + 1, end - 1).trim();
    if (value !== "") spans.push({ value, at: match.index, end });
    OPENING.lastIndex = end;
  }
  return spans;
}

/** @returns the place behind the closing mark. */
function endOf(text: string, at: number, mark: string): number | undefined {
  const careful = CAREFUL.has(mark);
  if (careful && (LETTER.test(text.charAt(at - 1)) || /^\s?$/.test(text.charAt(at + 1)))) return undefined;
  const marks = closing[mark] ?? "";
  const stop = Math.min(text.length, at + MAX_LENGTH + 2);
  for (let index = at + 1; index < stop; index++) {
    const char = text.charAt(index);
    if (char === "\n") return undefined;
    if (!marks.includes(char)) continue;
    const apostrophe = careful && (LETTER.test(text.charAt(index + 1)) || /\s/.test(text.charAt(index - 1)));
    if (!apostrophe) return index + 1;
  }
  return undefined;
}
