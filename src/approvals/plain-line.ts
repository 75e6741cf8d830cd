/**
 * Text of others as one line that can be nothing but text: no line break, no control or invisible character, nothing that
 * turns the direction of writing, no mark of the frame, no fence. Pure.
 */
import { latePattern } from "../lib/late-pattern.ts";
import { beginningOf } from "./beginning-of.ts";

/** Also what only some readers see or break lines at: soft hyphens, zero-width characters, tags, fillers. */
const unseen = latePattern(
  String.raw`(?:[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|\p{Variation_Selector})+`,
  "gu",
);

/** The brackets around a code: see `codes.ts`. */
const brackets: Readonly<Record<string, string>> = { "⟦": "[", "⟧": "]" };

/** @param max UTF-16 units; of a longer text the beginning, and `…`. */
export function plainLine(text: string, max: number): string {
  const begun = text.length > 4 * max ? beginningOf(text, 4 * max) : text;
  const line = begun
    .toWellFormed()
    .replace(unseen(), " ")
    .replace(/[⟦⟧]/g, (bracket) => brackets[bracket] ?? "")
    .replace(/`{3,}/g, (run) => "'".repeat(run.length))
    .replace(/~{3,}/g, (run) => "-".repeat(run.length))
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= max && begun.length === text.length) return line;
  return `${beginningOf(line, max).trimEnd()}…`;
}
