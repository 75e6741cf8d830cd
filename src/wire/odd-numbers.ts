/** Whether a request has numbers that a double cannot hold (an id of twenty digits, `1e400`): they go on as they were written. Pure. */

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

/** For those who read a schema: numbers as numbers. */
export function withPlainNumbers(schema: unknown): unknown {
  const text = JSON.stringify(schema);
  return keepsNumbers(text) ? JSON.parse(text) : schema;
}
