/** Whether a request has numbers that a double cannot hold (an id of twenty digits, `1e400`): they go on as they were written. Pure. */
import { holdsOddNumber } from "../lib/json/exact-json.ts";
import { survivesRoundTrip } from "../lib/json/strict-json.ts";

/** Values of JSON that have as many characters as a double may not hold, or an exponent. A text in quotes may hold some, too. */
const ODD_NUMBER = /[:,[]\s*(-?\d(?:[\d.]{15}|[\d.]*[eE])[-+\d.eE]*)/g;

/**
 * Whether `text` may hold a number that would go on as another: one of more digits than a double has, or beyond its range. A
 * megabyte takes 2 ms; to look at each number takes 20.
 */
export function keepsNumbers(text: string): boolean {
  for (const [, number = ""] of text.matchAll(ODD_NUMBER)) if (!survivesRoundTrip(number)) return holdsOddNumber(text);
  return false;
}

/** For readers of schemas: numbers as numbers. */
export function withPlainNumbers(schema: unknown): unknown {
  const text = JSON.stringify(schema);
  return keepsNumbers(text) ? JSON.parse(text) : schema;
}
