/**
 * JSON that means one thing to every reader. Pure.
 *
 * Two parsers that disagree about a call's arguments are an attack: we vet what ours reads, the client runs what its own
 * reads. So arguments with duplicate keys, `__proto__` keys, or numbers that a double cannot hold are refused.
 */
import { err, ok, type Result } from "../result.ts";

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface JsonFault {
  readonly problem: "syntax" | "duplicate_key" | "proto_key" | "number" | "depth";
  /** Offset in UTF-16 units, as far as known. */
  readonly at: number;
}

export const MAX_DEPTH = 100;
/** Sticky: set `lastIndex` before each use. */
export const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * @returns the value, or why readers might not agree on it.
 * @param numbers with `nearest`, a number that a double cannot hold is read as the nearest double.
 */
export function parseStrictJson(text: string, numbers: "exact" | "nearest" = "exact"): Result<JsonValue, JsonFault> {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return err({ problem: "syntax", at: 0 });
  }
  const fault = findFault(text, false, numbers === "exact");
  return fault ? err(fault) : ok(value);
}

/** Replaces a number that a double cannot hold: read as a double it would be another id. */
export const INEXACT: unique symbol = Symbol("inexact number");

/**
 * For data that is only read: `INEXACT` replaces a number that a double cannot hold, so that the other values can still be
 * used. Everything else is as strict.
 */
export function parseMarkingNumbers(text: string): Result<unknown, JsonFault> {
  const strict = parseStrictJson(text);
  if (strict.ok || strict.error.problem !== "number") return strict;
  const fault = findFault(text, false, false);
  if (fault) return err(fault);
  // The reviver's context is not in TypeScript's library yet.
  const mark = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && !survivesRoundTrip(context?.source ?? "1e999") ? INEXACT : value;
  return ok(JSON.parse(text, mark) as unknown);
}

/** Whether the value holds an inexact number. */
export function holdsInexact(value: unknown): boolean {
  if (value === INEXACT) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInexact);
}

/** Whether any object in `text` (valid JSON) has a key twice, or a key written with escapes. */
export function hasOddKeys(text: string): boolean {
  return findFault(text, true) !== undefined;
}

/** Whether the object in `text` (valid JSON) has this key twice, in any spelling. */
export function hasMemberTwice(text: string, key: string): boolean {
  let depth = 0;
  let times = 0;
  for (let i = 0; i < text.length; ) {
    const char = text.charCodeAt(i);
    if (char === 0x22) {
      const end = endOfString(text, i);
      if (depth === 1 && isKey(text, end) && JSON.parse(text.slice(i, end)) === key && ++times === 2) return true;
      i = end;
      continue;
    }
    if (char === 0x7b || char === 0x5b) depth++;
    else if (char === 0x7d || char === 0x5d) depth--;
    i++;
  }
  return false;
}

/** Walks the tokens of valid JSON once; strings are skipped natively. */
function findFault(text: string, keysOnly = false, numbers = !keysOnly): JsonFault | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; ) {
    const char = text.charCodeAt(i);
    if (char === 0x22) {
      const end = endOfString(text, i);
      const keys = open.at(-1);
      if (keys !== undefined && isKey(text, end)) {
        const raw = text.slice(i, end);
        const escaped = raw.includes("\\");
        if (escaped && keysOnly) return { problem: "duplicate_key", at: i };
        const key = escaped ? (JSON.parse(raw) as string) : raw.slice(1, -1);
        if (key === "__proto__" && !keysOnly) return { problem: "proto_key", at: i };
        if (keys.has(key)) return { problem: "duplicate_key", at: i };
        keys.add(key);
      }
      i = end;
    } else if (char === 0x7b || char === 0x5b) {
      open.push(char === 0x7b ? new Set() : undefined);
      if (open.length > MAX_DEPTH && !keysOnly) return { problem: "depth", at: i };
      i++;
    } else if (char === 0x7d || char === 0x5d) {
      open.pop();
      i++;
    } else if (numbers && (char === 0x2d || (char >= 0x30 && char <= 0x39))) {
      NUMBER.lastIndex = i;
      const raw = NUMBER.exec(text)?.[0] ?? "";
      if (!survivesRoundTrip(raw)) return { problem: "number", at: i };
      i += Math.max(raw.length, 1);
    } else i++;
  }
  return undefined;
}

/** The offset after the closing quote of the string that opens at `start`. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Whether a `:` follows the string that ends there. */
export function isKey(text: string, after: number): boolean {
  for (let i = after; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x3a) return true;
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return false;
  }
  return false;
}

/** Whether a double holds exactly the decimal that was written. */
export function survivesRoundTrip(raw: string): boolean {
  if (raw.length < 16 && !/[eE]|^-0/.test(raw)) return true;
  const value = Number(raw);
  return Number.isFinite(value) && !Object.is(value, -0) && decimal(raw) === decimal(String(value));
}

/** `digits` and exponent without trailing or leading zeros: equal texts are equal numbers. */
function decimal(raw: string): string {
  const [mantissa = "", exponent = "0"] = raw.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits.endsWith("0", end) && end > 0) end -= 1;
  const trimmed = digits.slice(0, end);
  if (trimmed === "") return "0";
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`;
}
