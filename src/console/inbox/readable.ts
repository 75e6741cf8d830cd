/** A disclosed value as a person reads it. Pure. */

/** Line breaks and tabs aside. Those that turn the direction of writing make a text look like another. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** A text comes as JSON, in quotes and on one line; here it has a place of its own. All else stays as it is. */
export function readable(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    const text: unknown = JSON.parse(value);
    return typeof text === "string" && text.trim() !== "" ? text.replace(UNSEEN, "\ufffd") : value;
  } catch {
    // It was cut.
    return value;
  }
}
