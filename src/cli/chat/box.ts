/** Boxes of the confirmation and result displays. Source: reference/human-centered-tool-calling.md, "CLI Output". Pure. */
import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import type { Paint, Style } from "./style.ts";

/** A part between two rules. Lines may be painted, and are wrapped. */
export type Section = readonly string[];

const LINES = { top: "┌─┐", rule: "├─┤", bottom: "└─┘", side: "│" };
const ASCII: typeof LINES = { top: "+-+", rule: "+-+", bottom: "+-+", side: "|" };

/** @param border absent: it is dim. */
export function box(sections: readonly Section[], style: Style, border: Paint = "dim"): readonly string[] {
  const { width } = style;
  const { top, rule, bottom, side } = style.unicode ? LINES : ASCII;
  const edge = (marks: string) =>
    style.paint(border, `${marks.charAt(0)}${marks.charAt(1).repeat(width - 2)}${marks.charAt(2)}`);
  const bar = style.paint(border, side);
  const rows = sections
    .filter((section) => section.length > 0)
    .map((section) =>
      section
        .flatMap((line) => wrapped(line, width - 4))
        .map((line) => `${bar} ${line}${" ".repeat(Math.max(0, width - 4 - stringWidth(line)))} ${bar}`),
    );
  return [
    edge(top),
    ...rows.flatMap((section, index) => (index === 0 ? section : [edge(rule), ...section])),
    edge(bottom),
  ];
}

/** Lines of at most so many columns. A wrapped line keeps its indent; a word that is too long is cut anywhere. */
export function wrapped(text: string, columns: number): readonly string[] {
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => {
      const [indent = ""] = /^ */.exec(line) ?? [];
      // A value that is all blanks, or much of it, must not push the rest out of sight.
      const kept = indent.slice(0, Math.floor(columns / 4));
      const room = columns - kept.length;
      return wrapAnsi(line.slice(indent.length), room, { hard: true })
        .split("\n")
        .map((row) => `${kept}${row}`);
    });
}

/** Labels side by side, on as many lines as needed; a label that fits on a line is not broken. */
export function packed(labels: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const label of labels) {
    const last = lines.at(-1);
    const joined = last === undefined ? label : `${last}  ${label}`;
    if (last !== undefined && stringWidth(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(label);
  }
  return lines;
}
