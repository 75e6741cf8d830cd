/** A disclosed value as a person reads it. Pure. */
import { visible } from "../../lib/visible-text.ts";

/** A text comes as JSON, in quotes and on one line; here it has a place of its own. All else stays as it is. */
export function readable(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    const text: unknown = JSON.parse(value);
    return typeof text === "string" && text.trim() !== "" ? visible(text) : value;
  } catch {
    // It was cut.
    return value;
  }
}
