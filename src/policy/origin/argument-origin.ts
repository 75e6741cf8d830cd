/** Where the value of an argument comes from: the value itself, a pair of which it is a part, or the amount in another unit. Pure. */
import { pairOrigin } from "./name-pairs.ts";
import type { CallValue } from "./roles/argument-roles.ts";
import { nameWords } from "./roles/name-words.ts";
import type { Origin, Sources } from "./sources/sources.ts";

/** By the last word of an argument's name: how many of it make one of what people write. */
const UNITS: Readonly<Record<string, readonly (readonly [of: number, written: string])[]>> = {
  ...of("cents cent pence pennies minor", [100, ""]),
  ...of("grams gram g", [1_000, "kg"]),
  ...of("ml millilitres milliliters", [1_000, "l"]),
  ...of("mm millimetres millimeters", [10, "cm"]),
  ...of("minutes mins minute min", [60, "h"]),
  ...of("seconds secs second sec", [60, "min"], [3_600, "h"]),
  ...of("hours", [24, "days"]),
  ...of("days", [7, "weeks"]),
  ...of("nights", [7, "weeks"], [1, "days"]),
  ...of("mb megabytes", [1_000, "gb"], [1_024, "gb"]),
};

function of(names: string, ...units: readonly (readonly [number, string])[]) {
  return Object.fromEntries(names.split(" ").map((name) => [name, units]));
}

/** @param values of the same call. */
export function originOfArgument(one: CallValue, values: readonly CallValue[], sources: Sources): Origin | undefined {
  return (
    sources.originOf(one.value) ??
    pairOrigin(one, values, sources) ??
    unitOrigin(one, sources) ??
    partsOrigin(one, sources)
  );
}

/** `amount_cents: 1999` where the user wrote `$19.99`. Only the user's own words count: a result has its own fields. */
function unitOrigin({ pointer, value }: CallValue, sources: Sources): Origin | undefined {
  const units = UNITS[nameWords(pointer.slice(pointer.lastIndexOf("/") + 1)).at(-1) ?? ""];
  if (typeof value !== "number" || units === undefined) return undefined;
  for (const [count, written] of units) {
    const amount = Number((value / count).toFixed(6));
    const origin = sources.originOf(written === "" ? amount : `${amount} ${written}`);
    if (origin?.kind === "user") return origin;
  }
  return undefined;
}

/** A number with what it is of: `0.5 ml`, `2x`. */
const NUMBERS = /\d+(?:[.,]\d+)?(?:\s?[\p{L}%]+)?/gu;
/** How often, in a word. */
const OFTEN =
  /(?<!\p{L})(?:once|twice|thrice|half|double|every|hourly|alternate|[sbtq]id|ein-?mal|zwei-?mal|drei-?mal|vier-?mal|halb\p{L}*|doppelt\p{L}*|stündlich|jede\p{L}*|cada|medi[oa])(?!\p{L})/giu;
/** A longer text is no amount. */
const MAX_AMOUNT = 80;

/**
 * `0.5 ml 1x daily` where the user wrote `0,5 ml 1x/d`: an amount with words is the user's where each of its numbers is, with its unit. The
 * words around them are the model's.
 */
function partsOrigin({ value, role }: CallValue, sources: Sources): Origin | undefined {
  if (role.role !== "amount" || typeof value !== "string" || value.length > MAX_AMOUNT) return undefined;
  // Nor a date or a time, whose numbers say nothing one by one.
  if (!/\p{L}/u.test(value) || /\d[-:/]\d/.test(value)) return undefined;
  const numbers = value.match(NUMBERS) ?? [];
  if (numbers.length === 0) return undefined;
  const found = [...numbers, ...(value.match(OFTEN) ?? [])].map((part) => sources.originOf(part));
  return found.every((origin) => origin?.kind === "user") ? found[0] : undefined;
}
