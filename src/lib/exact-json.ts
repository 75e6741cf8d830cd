/**
 * JSON whose numbers stay as they were written. Pure.
 *
 * `JSON.parse` rounds what a double cannot hold: the id 1234567890123456789 becomes the id of another record. Such a number is
 * read as the runtime's raw JSON, which `JSON.stringify` writes as it came. Every other number is an ordinary one.
 */
import { survivesRoundTrip } from "./strict-json.ts";

/** `JSON.rawJSON` and the reviver's context are in the runtime, not yet in TypeScript's library. */
const raw = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/**
 * Where a number stands that a double may not hold: one of 15 characters or more, with an exponent, or -0. A reviver takes
 * eight times as long as plain parsing, so it is used only where this matches. Texts that look like such a number match too.
 */
const RISKY = /(?<![^\s:,[])-?(?:[\d.]{15}|[\d.]+[eE]|(?<=-)0)/;

/** As `JSON.parse`, but no number is changed. Throws what `JSON.parse` throws; a RangeError on a value too deep. */
export function parseExact(text: string): unknown {
  return mayLoseNumbers(text) ? JSON.parse(text, keepAsWritten as never) : JSON.parse(text);
}

/** Whether `JSON.parse` might change a number of this JSON text. */
export const mayLoseNumbers = (text: string): boolean => RISKY.test(text);

function keepAsWritten(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value !== "number" || source === undefined || survivesRoundTrip(source) ? value : raw.rawJSON(source);
}

/** A number that was kept as it was written, as the nearest double; any other value as it is. */
export const nearestDouble = (value: unknown): unknown => (raw.isRawJSON(value) ? Number(value.rawJSON) : value);
