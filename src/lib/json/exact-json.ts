/**
 * Parses JSON without changing a number. Pure, but for a random mark that no input can contain.
 *
 * `JSON.parse` rounds what a double cannot hold: the id 1234567890123456789 becomes the id of another record. Such a number is
 * read as the runtime's raw JSON, which `JSON.stringify` writes unchanged. Every other number is an ordinary one.
 */
import { endOfString, survivesRoundTrip } from "./strict-json.ts";

/** `JSON.rawJSON` is in the runtime, not yet in TypeScript's library. */
const raw = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/**
 * Finds a number that a double may not hold: one of 15 characters or more, with an exponent, or -0. Also matches texts that look like
 * such a number.
 */
const RISKY = /(?<![^\s:,[])-?(?:[\d.]{15}|[\d.]+[eE]|(?<=-)0)/;

/** As `JSON.parse`, but no number is changed. Throws what `JSON.parse` throws; a RangeError on a value too deep. */
export function parseExact(text: string): unknown {
  const numbers = mayLoseNumbers(text) ? oddNumbersOf(text) : [];
  if (numbers.length === 0) return JSON.parse(text);
  // Parsed as marked texts and put back: a reviver is called for every value, for which small numbers take a second a megabyte.
  const mark = crypto.randomUUID();
  let marked = "";
  let from = 0;
  for (const { at, end } of numbers) {
    marked += `${text.slice(from, at)}"${mark}${text.slice(at, end)}"`;
    from = end;
  }
  try {
    return restored(JSON.parse(marked + text.slice(from)), mark);
  } catch (error) {
    // Throws an error about the original text.
    JSON.parse(text);
    throw error;
  }
}

/** Undefined for text that is not JSON. */
export function readExact(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Whether `JSON.parse` might change a number of this JSON text. */
export const mayLoseNumbers = (text: string): boolean => RISKY.test(text);

/** As `mayLoseNumbers`, but a text in quotes counts for nothing. Looks at each character. */
export const holdsOddNumber = (text: string): boolean => oddNumbersOf(text).length > 0;

/** A number that was kept as it was written, as the nearest double; any other value as it is. */
export const nearestDouble = (value: unknown): unknown => (raw.isRawJSON(value) ? Number(value.rawJSON) : value);

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
const [QUOTE, MINUS] = [0x22, 0x2d];
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

function oddNumbersOf(text: string): { readonly at: number; readonly end: number }[] {
  const found: { at: number; end: number }[] = [];
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit !== MINUS && !isDigit(unit)) at += 1;
    else {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      // Anything else is left for the parser to refuse.
      if (!survivesRoundTrip(number) && NUMBER.test(number)) found.push({ at, end });
      at = end;
    }
  }
  return found;
}

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
  else if (typeof value === "object" && value !== null)
    for (const key in value) restoreMember(value as Record<string, unknown>, key, mark);
  return value;
}

function restoreMember<K extends PropertyKey>(holder: Record<K, unknown>, key: K, mark: string): void {
  const member = holder[key];
  const own = restored(member, mark);
  if (own !== member) holder[key] = own;
}
