/**
 * Numbers that a double cannot hold (an id of twenty digits, `1e400`), which must go on as they were written. Pure but for a mark
 * that nobody outside can know.
 */
import { endOfString } from "../lib/strict-json.ts";
import { isObject } from "./read-chunk.ts";

/** Values of JSON that have as many characters as a double may not hold, or an exponent. A text in quotes may hold some, too. */
const ODD_NUMBER = /[:,[]\s*(-?\d(?:[\d.]{15}|[\d.]*[eE])[-+\d.eE]*)/g;

/**
 * Whether `text` may hold a number that would go on as another: one of more digits than a double has, or beyond its range. A
 * megabyte takes 2 ms; to look at each number takes 20.
 */
export function keepsNumbers(text: string): boolean {
  for (const [, number = ""] of text.matchAll(ODD_NUMBER)) if (!survives(number)) return true;
  return false;
}

/** A double has 15 digits to the decimal, and as many exponents as it has above its smallest normal number. */
function survives(number: string): boolean {
  if (number.length > 15) return false;
  const size = Math.abs(Number(number));
  if (size === 0) return !/^[^eE]*[1-9]/.test(number);
  return size >= 2.23e-308 && size <= Number.MAX_VALUE;
}

/** `JSON.rawJSON` is in the runtime, not yet in the types. */
const raw = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/**
 * As `JSON.parse`, but numbers that a double cannot hold are `JSON.rawJSON` objects. They are parsed as marked texts and put
 * back: a reviver is told of every value, for which a body of small numbers takes a second a megabyte.
 */
export function parseKeepingNumbers(text: string): unknown {
  const mark = crypto.randomUUID();
  const numbers = oddNumbersOf(text);
  if (numbers.length === 0) return JSON.parse(text);
  let marked = "";
  let from = 0;
  for (const { at, end } of numbers) {
    marked += `${text.slice(from, at)}"${mark}${text.slice(at, end)}"`;
    from = end;
  }
  try {
    return restored(JSON.parse(marked + text.slice(from)), mark);
  } catch (error) {
    // Told of the text as it came.
    JSON.parse(text);
    throw error;
  }
}

function oddNumbersOf(text: string): { readonly at: number; readonly end: number }[] {
  const found: { at: number; end: number }[] = [];
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit !== MINUS && !isDigit(unit)) at += 1;
    else {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      // What is no number is left for the parser to refuse.
      if (!survives(number) && NUMBER.test(number)) found.push({ at, end });
      at = end;
    }
  }
  return found;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
const [QUOTE, MINUS] = [0x22, 0x2d];
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** Behind all digits, `+`, `-`, `.`, `E` and `e`. */
function endOfNumber(text: string, at: number): number {
  let end = at + 1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (!isDigit(unit) && unit !== 43 && unit !== MINUS && unit !== 46 && unit !== 69 && unit !== 101) break;
  }
  return end;
}

function restored(value: unknown, mark: string): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? raw.rawJSON(value.slice(mark.length)) : value;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) restoreMember(value, index, mark);
  else if (isObject(value)) for (const key in value) restoreMember(value, key, mark);
  return value;
}

function restoreMember<K extends PropertyKey>(holder: Record<K, unknown>, key: K, mark: string): void {
  const member = holder[key];
  const own = restored(member, mark);
  if (own !== member) holder[key] = own;
}

/** A number that was kept as it was written, as a plain one; any other value as it is. */
export function plainNumber(value: unknown): unknown {
  return isObject(value) && raw.isRawJSON(value) ? Number(value.rawJSON) : value;
}

/** For those who read a schema: numbers as numbers. */
export function withPlainNumbers(schema: unknown): unknown {
  const text = JSON.stringify(schema);
  return keepsNumbers(text) ? JSON.parse(text) : schema;
}
