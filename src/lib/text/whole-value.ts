/** A value whole, as a page shows it in a block of its own: a text as it is laid out, anything else as JSON. Pure. */
import { shownBlock, shownJson } from "./visible-text.ts";

interface WholeValue {
  readonly text: string;
  /** Show it beside the value, so that the text `5` and the number 5 differ. */
  readonly isJson: boolean;
  readonly escaped: boolean;
  /** Too long for one glance: the approver first confirms that they have read all of it. */
  readonly isLong: boolean;
}

const MAX_LINES = 16;
const MAX_UNITS = 1_200;
/** Longer JSON is written on several lines. */
const MAX_JSON_LINE = 60;

export function wholeValue(value: unknown): WholeValue {
  // An empty block would look like an error of the page.
  const isJson = typeof value !== "string" || value === "";
  const { text, escaped } = isJson ? shownJson(jsonOf(value)) : shownBlock(value);
  return { text, isJson, escaped, isLong: text.length > MAX_UNITS || text.split("\n").length > MAX_LINES };
}

function jsonOf(value: unknown): string {
  const compact = JSON.stringify(value) ?? "";
  return compact.length <= MAX_JSON_LINE ? compact : (prettyJson(value) ?? compact);
}

/**
 * JSON on several lines for a person. Pure. Deeper JSON stays on one line: each level is indented further, so 64 KB of
 * brackets would become megabytes.
 */
const MAX_DEPTH = 8;

/** Undefined for values that JSON cannot express. */
export function prettyJson(value: unknown): string | undefined {
  return isDeeper(value, MAX_DEPTH) ? JSON.stringify(value) : JSON.stringify(value, null, 2);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}
