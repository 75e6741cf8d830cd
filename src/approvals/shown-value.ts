/** An argument's value as one bounded line. Pure. */
import { plainLine } from "./plain-line.ts";

const MAX_VALUE = 300;
const MAX_IN_TEMPLATE = 200;

/** JSON, so that a line break or a quotation mark in a text shows as such. */
export function shownValue(value: unknown): string {
  return plainLine(JSON.stringify(value) ?? "", MAX_VALUE);
}

/** Inside a sentence: a text without its quotation marks, of which it then can hold none that would end the policy's. */
export function valueInSentence(value: unknown): string {
  const text =
    Array.isArray(value) && value.every((item) => typeof item === "string") ? value.slice(0, 100).join(", ") : value;
  const words = typeof text === "string" ? text : (JSON.stringify(text) ?? "");
  return plainLine(words.slice(0, 4 * MAX_IN_TEMPLATE), MAX_IN_TEMPLATE).replace(/["“”„«»「」『』《》〈〉`]/g, "'");
}
