/**
 * Text of others as one line that can be nothing but text: no line break, nothing unseen, nothing that turns the direction of
 * writing, no mark of the frame. White space is one blank: for values, where each blank counts, see `shown-value.ts`. Pure.
 */
import { shownLine } from "./visible-text.ts";

/** @param max UTF-16 units; of a longer text the beginning, and `…`. */
export function plainLine(text: string, max: number): string {
  const begun = text.length > 4 * max ? beginningOf(text, 4 * max) : text;
  const line = shownLine(begun.replace(/\s+/g, " ").trim()).text;
  if (line.length <= max && begun.length === text.length) return line;
  return `${beginningOf(line, max).trimEnd()}…`;
}

/** The beginning of a text, no character cut in half. */
export function beginningOf(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff && text.length > max ? max - 1 : max);
}
