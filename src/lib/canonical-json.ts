/**
 * One text for one JSON value, so that what a person approved and what a record says can be bound by a digest. Pure.
 * Keys are sorted by UTF-16 code unit, there is no white space, strings and numbers are written as `JSON.stringify`
 * writes them; so -0 is written 0 (the two are equal, and a record that passed through JSON must still verify).
 */

/** Deeper than any honest value; also where a cycle ends. Bounds the recursion: arguments come from a model. */
export const maxJsonDepth = 512;

/** Equal texts mean equal values, up to the order of keys. Throws a TypeError on what is not JSON, and on a value too deep. */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > maxJsonDepth) throw new TypeError(`not canonical JSON: nested more than ${maxJsonDepth} levels deep`);
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  // Not `map`: it skips holes, and a hole is not JSON.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(",")}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${write(value[key], depth + 1)}`).join(",")}}`;
  }
  throw new TypeError(`not JSON: ${typeof value === "object" ? "an object of a class" : kindOf(value)}`);
}

const kindOf = (value: unknown): string => (typeof value === "number" ? String(value) : typeof value);

/** Made by `{}`, `JSON.parse` or `Object.create(null)`, in whichever realm: a Date or a Map would be written as `{}`. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
