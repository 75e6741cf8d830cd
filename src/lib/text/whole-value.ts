/** A value whole, as a page shows it in a block of its own: a text as it is laid out, anything else as JSON. Pure. */
import { shownBlock, shownJson } from "./visible-text.ts";

export interface WholeValue {
  readonly text: string;
  /** To be written beside it, so that the text `5` and the number differ. */
  readonly isJson: boolean;
  readonly escaped: boolean;
  /** More than is seen at a glance: who approves it says first that they have looked at all of it. */
  readonly isLong: boolean;
}

const MAX_LINES = 16;
const MAX_UNITS = 1_200;
/** Longer JSON stands on several lines. */
const MAX_JSON_LINE = 60;

export function wholeValue(value: unknown): WholeValue {
  // An empty block would look like a fault of the page.
  const isJson = typeof value !== "string" || value === "";
  const { text, escaped } = isJson ? shownJson(jsonOf(value)) : shownBlock(value);
  return { text, isJson, escaped, isLong: text.length > MAX_UNITS || text.split("\n").length > MAX_LINES };
}

function jsonOf(value: unknown): string {
  const compact = JSON.stringify(value) ?? "";
  return compact.length <= MAX_JSON_LINE ? compact : (prettyJson(value) ?? compact);
}

/**
 * JSON as a person reads it, over several lines. Pure. What is nested deeper than this stays on one line: each level is indented
 * further, so that 64 KB of brackets would become megabytes.
 */
const MAX_DEPTH = 8;

/** Undefined for what JSON has no text for. */
export function prettyJson(value: unknown): string | undefined {
  return isDeeper(value, MAX_DEPTH) ? JSON.stringify(value) : JSON.stringify(value, null, 2);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}
