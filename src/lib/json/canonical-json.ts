/**
 * One text for one JSON value, so that a digest can bind an approval or a record. Pure.
 * Keys are sorted by UTF-16 code unit, there is no white space, strings and numbers are written as `JSON.stringify`
 * writes them; so -0 is written 0 (the two are equal, and a record that passed through JSON must still verify).
 */

/** Deeper than any honest value; a cycle ends here too. Bounds the recursion: arguments come from a model. */
export const maxJsonDepth = 512;

/** Equal texts mean equal values, up to the order of keys. Throws a TypeError on what is not JSON, and on a value too deep. */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > maxJsonDepth) throw new TypeError(`not canonical JSON: nested more than ${maxJsonDepth} levels deep`);
  if (typeof value === "string") return quote(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return writeItems(value, depth);
  if (isPlainObject(value)) return writeMembers(value, depth);
  throw new TypeError(`not JSON: ${typeof value === "object" ? "an object of a class" : kindOf(value)}`);
}

/** A text without escapes. A record has some hundred names and short texts; `JSON.stringify` for each takes 8 µs instead of 5. */
const PLAIN = /^[ !#-[\]-~]*$/;

const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

// Joined by hand: it takes a third of the time of `map` and `join`, and calls have thousands of items.
function writeItems(items: readonly unknown[], depth: number): string {
  let text = "";
  // Holes too, which are not JSON.
  for (let index = 0; index < items.length; index += 1) {
    text += `${index === 0 ? "" : ","}${write(items[index], depth + 1)}`;
  }
  return `[${text}]`;
}

function writeMembers(members: Readonly<Record<string, unknown>>, depth: number): string {
  let text = "";
  for (const key of Object.keys(members).sort()) {
    text += `${text === "" ? "" : ","}${quote(key)}:${write(members[key], depth + 1)}`;
  }
  return `{${text}}`;
}

const kindOf = (value: unknown): string => (typeof value === "number" ? String(value) : typeof value);

/** Made by `{}`, `JSON.parse` or `Object.create(null)`, in whichever realm: a Date or a Map would be written as `{}`. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
