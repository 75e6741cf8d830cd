/** Two JSON values compared line by line, as people read them. Pure. */
import { type ComparedLine, compareLines } from "../../lib/text/line-differences.ts";

/** Lines around a difference that are shown with it. */
const CONTEXT = 3;

/** Every line of both, marked if only one of them has it. */
export const lineDifferences = (before: unknown, after: unknown): string[] => compared(before, after).map(marked);

/** The differences with the lines around them; `…` in place of equal lines that are left out. None: no difference. */
export function lineHunks(before: unknown, after: unknown): string[] {
  const lines = compared(before, after);
  const shown = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== "same") for (let at = index - CONTEXT; at <= index + CONTEXT; at++) shown.add(at);
  }
  const out: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!shown.has(index)) continue;
    if (!shown.has(index - 1) && index > 0) out.push("  …");
    out.push(marked(line));
  }
  return out;
}

const signs = { same: " ", added: "+", removed: "-" } as const;

const marked = ({ kind, text }: ComparedLine): string => `${signs[kind]} ${text}`;
const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 2).split("\n");
const compared = (before: unknown, after: unknown): ComparedLine[] => compareLines(linesOf(before), linesOf(after));
