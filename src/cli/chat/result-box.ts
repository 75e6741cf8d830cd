/**
 * A tool's result as a person reads it: the outcome, the time it took, and whether it is trusted.
 * Source: reference/human-centered-tool-calling.md, "Result Display". Pure.
 */
import { readExact } from "../../lib/json/exact-json.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { beginningOf, visible } from "../../lib/text/visible-text.ts";
import type { Section } from "./box.ts";
import type { Style } from "./style.ts";

export interface ShownResult {
  readonly tool: string;
  readonly status: string;
  readonly ms: number | null;
  /** False: it is untrusted text. */
  readonly trusted: boolean;
  readonly suspicious: boolean;
  /** Absent: the gateway gives none. */
  readonly text?: string | null | undefined;
}

/** Lines of a result; `/last` shows all of it. */
const SHORT = 14;
const MAX_CHARS = 4_000;

export function resultSections(result: ShownResult, style: Style, { whole = false } = {}): readonly Section[] {
  const lines = resultLines(result.text);
  const shown = whole ? lines : lines.slice(0, SHORT);
  const left = lines.length - shown.length;
  return [
    [`${style.paint("bold", visible(result.tool))}  ${statusMark(result.status, style)}`],
    [
      ...shown.map((line) => marked(line, style)),
      ...(left > 0 ? [style.paint("dim", `… ${left} more ${left === 1 ? "line" : "lines"}: /last shows them`)] : []),
    ],
    [
      ...trustLines(result, style),
      ...(result.ms === null ? [] : [style.paint("dim", `Execution time: ${result.ms}ms`)]),
    ],
  ];
}

function statusMark(status: string, style: Style): string {
  const text = visible(status.replaceAll("_", " "));
  return status === "succeeded" ? style.paint("green", text) : style.paint("red", text);
}

function trustLines({ trusted, suspicious }: ShownResult, style: Style): readonly string[] {
  const sign = style.unicode ? "⚠" : "!";
  return [
    ...(trusted ? [] : [style.paint("yellow", "[UNVERIFIED] others wrote this")]),
    ...(suspicious ? [style.paint("red", `${sign} It holds text that gives orders to an AI.`)] : []),
  ];
}

/** A result that is made for people has the member `display`; other JSON is laid out, other text stays as it is. */
function resultLines(text: string | null | undefined): readonly string[] {
  if (text == null || text.trim() === "") return [];
  const bounded = beginningOf(text, 10 * MAX_CHARS);
  // A person must see the number that the tool gave.
  const value = readExact(bounded);
  const body = isObject(value) && typeof value.display === "string" ? value.display : (textOf(value) ?? bounded);
  return visible(body)
    .split("\n")
    .map((line) => (line.length > MAX_CHARS ? `${beginningOf(line, MAX_CHARS)}…` : line))
    .filter((line, index, all) => line.trim() !== "" || all[index - 1]?.trim() !== "");
}

/** One member a line, and what is deeper as compact JSON. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((one) => `- ${scalar(one)}`).join("\n");
  if (!isObject(value)) return undefined;
  return Object.entries(value)
    .map(([name, member]) =>
      Array.isArray(member) && member.length > 0
        ? `${name}:\n${member.map((one) => `  - ${epistemic(one)}${scalar(one)}`).join("\n")}`
        : `${name}: ${scalar(member)}`,
    )
    .join("\n");
}

const scalar = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** `[INTERPRETIVE] ` for an entry that states its own certainty. */
function epistemic(entry: unknown): string {
  if (!isObject(entry) || typeof entry.epistemic_indicator !== "string") return "";
  return entry.epistemic_indicator.toLowerCase() === "factual" ? "[FACTUAL] " : "[INTERPRETIVE] ";
}

const marked = (line: string, style: Style): string =>
  (style.unicode ? line : line.replaceAll("⚠️", "!"))
    // Terminals disagree on how wide the sign with its selector is.
    .replaceAll("⚠\ufe0f", "⚠")
    .replace(/\[(FACTUAL|INTERPRETIVE)\]/, (mark) => style.paint(mark === "[FACTUAL]" ? "green" : "yellow", mark));
