/** From what a pattern found to what an entity is: the policy's steps, its type, its range. Pure. */
import type { EntitySettings, NormaliseStep } from "../../policy/document/entity-parts.ts";
import { readDate } from "./find-dates.ts";
import { compileWords, meaningOf } from "./find-words.ts";
import { readNumber } from "./read-number.ts";

/** UTF-16 units. What is longer is a passage, not a value. */
const MAX_LENGTH = 500;

export type ReadValue = (written: string) => string | number | undefined;

/**
 * A number out of range is not taken, rather than moved to the nearest bound: 500 flashcards are not what the user asked
 * for where 20 are made, and whoever fills the argument can still ask or use a default.
 */
export function compileReadValue(settings: EntitySettings): ReadValue {
  const steps = settings.normalise.map(compileStep);
  return (written) => {
    const text = steps.reduce((value, step) => step(value), written);
    if (text === "" || text.length > MAX_LENGTH) return undefined;
    return readTyped(text, settings);
  };
}

/** @param text a value as the policy's steps left it, or as its synonyms name it. */
export function readTyped(
  text: string,
  { type, min = -Infinity, max = Infinity }: EntitySettings,
): string | number | undefined {
  if (type === "string") return text;
  if (type === "date") return readDate(text);
  const number = readNumber(text);
  if (number === undefined || number < min || number > max) return undefined;
  return type === "number" || Number.isSafeInteger(number) ? number : undefined;
}

function compileStep(step: NormaliseStep): (text: string) => string {
  switch (step) {
    case "trim":
      return (text) => text.trim();
    case "spaces":
      return (text) => text.replace(/\s+/g, " ");
    case "lower":
      return (text) => text.toLowerCase();
    case "upper":
      return (text) => text.toUpperCase();
  }
  const meanings = Object.entries(step.words);
  const list = compileWords(meanings.map(([, words]) => words));
  return (text) => {
    const meaning = meaningOf(list, text);
    return meaning === undefined ? text : (meanings[meaning]?.[0] ?? text);
  };
}
