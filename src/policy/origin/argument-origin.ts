/** Finds the origin of an argument's value: of the value itself, of a pair that it is part of, or of the amount in another unit. Pure. */
import { lazyRegExp } from "../../lib/once.ts";
import type { CallValue } from "./roles/argument-roles.ts";
import { nameWords } from "./roles/name-words.ts";
import { type SharingScope, wordsForWidening } from "./roles/widening-flags.ts";
import type { Origin, Sources } from "./sources/sources.ts";
import { frequencyIn, NUMBER_WORDS } from "./spelling/frequencies.ts";

/** By the last word of an argument's name: how many of that unit make one of the units that people write. */
const UNITS: Readonly<Record<string, readonly (readonly [of: number, written: string])[]>> = {
  ...of("cents cent pence pennies minor", [100, ""]),
  ...of("grams gram g", [1_000, "kg"]),
  ...of("ml millilitres milliliters", [1_000, "l"]),
  ...of("mm millimetres millimeters", [10, "cm"]),
  ...of("minutes mins minute min", [60, "h"]),
  ...of("seconds secs second sec", [60, "min"], [3_600, "h"]),
  ...of("hours", [24, "days"]),
  ...of("days", [7, "weeks"]),
  ...of("nights", [7, "weeks"]),
  ...of("mb megabytes", [1_000, "gb"], [1_024, "gb"]),
};

function of(names: string, ...units: readonly (readonly [number, string])[]) {
  return Object.fromEntries(names.split(" ").map((name) => [name, units]));
}

/** @param values of the same call. */
export function originOfArgument(one: CallValue, values: readonly CallValue[], sources: Sources): Origin | undefined {
  if (one.role.widens) return wideningOrigin(one.role.widens, sources);
  if (isOfOtherTime(one, sources)) return unitOrigin(one, sources);
  return (
    sources.originOf(one.value) ??
    pairOrigin(one, values, sources) ??
    unitOrigin(one, sources) ??
    partsOrigin(one, sources)
  );
}

/** "Make it public": only the user may say so, in whatever word. */
function wideningOrigin(widening: SharingScope, sources: Sources): Origin | undefined {
  for (const word of wordsForWidening(widening)) {
    const origin = sources.originOf(word);
    if (origin?.kind === "user") return origin;
  }
  return undefined;
}

/** By the last word of an argument's name: the unit of time that its number is of. */
const TIMES: Readonly<Record<string, string>> = { hours: "h", days: "days", weeks: "weeks", nights: "nights" };

/** `nights: 2`, when the user wrote `2 days` and not `2 nights`. */
function isOfOtherTime({ pointer, value }: CallValue, sources: Sources): boolean {
  const own = TIMES[lastWord(pointer)];
  if (typeof value !== "number" || own === undefined) return false;
  const isSaid = (unit: string) => sources.originOf(`${value} ${unit}`)?.kind === "user";
  return Object.values(TIMES).some((unit) => unit !== own && isSaid(unit)) && !isSaid(own);
}

const lastWord = (pointer: string): string => nameWords(pointer.slice(pointer.lastIndexOf("/") + 1)).at(-1) ?? "";

/** `amount_cents: 1999`, when the user wrote `$19.99`. Only the user's own words count: a result has its own fields. */
function unitOrigin({ pointer, value }: CallValue, sources: Sources): Origin | undefined {
  const units = UNITS[lastWord(pointer)];
  if (typeof value !== "number" || units === undefined) return undefined;
  for (const [count, written] of units) {
    const amount = Number((value / count).toFixed(6));
    const origin = sources.originOf(written === "" ? amount : `${amount} ${written}`);
    if (origin?.kind === "user") return origin;
  }
  return undefined;
}

/** A number, also as a word, with its unit: `0.5 ml`, `€50`, `five boxes`. */
const NUMBERS = lazyRegExp(
  String.raw`[$€£¥]?\d+(?:[.,]\d+)?(?:\s?[\p{L}%$€£¥]+)?|(?<!\p{L})(?:${NUMBER_WORDS})(?:[\s-]\p{L}+)?(?!\p{L})`,
  "giu",
);
/** A longer text is no amount. */
const MAX_AMOUNT = 80;

/**
 * `0.5 ml 1x daily`, when the user wrote `0,5 ml 1x/d`: an amount with words is the user's if they wrote each number with its unit, the
 * same frequency, and every other word.
 */
function partsOrigin({ value, role }: CallValue, sources: Sources): Origin | undefined {
  if (role.role !== "amount" || typeof value !== "string" || value.length > MAX_AMOUNT) return undefined;
  // Nor a date or a time, whose numbers say nothing one by one.
  if (!/\p{L}/u.test(value) || /\d[-:]\d|\d\/\d/.test(value)) return undefined;
  const isUsers = (part: string) => sources.originOf(part)?.kind === "user";
  const frequency = frequencyIn(value);
  const amount = frequency === undefined ? value : value.replace(frequency.written, " ");
  const numbers = amount.match(NUMBERS()) ?? [];
  const [first] = numbers;
  if (first === undefined) return undefined;
  // With two numbers, one without a unit could be of anything.
  if (numbers.length > 1 && numbers.some((one) => /^[\d.,]+$/.test(one))) return undefined;
  const others = amount.replace(NUMBERS(), " ");
  if (/[^\p{L}\s.,;()'’]/u.test(others)) return undefined;
  if (![...numbers, ...(others.match(/\p{L}+/gu) ?? [])].every(isUsers)) return undefined;
  if (frequency !== undefined && !frequency.spellings(first).some(isUsers)) return undefined;
  return sources.originOf(first);
}

const OWNERS = new Set("owner org organization organisation".split(" "));
const OWNED = new Set("repo repository".split(" "));
const PART = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/**
 * Two arguments of one call that people write as one name: `acme-labs/website` gives the owner and the repository. Only the whole pair, as it
 * is written, gives both: the owner of one name and the repository of another are no pair.
 * @param values of the same call.
 */
export function pairOrigin(value: CallValue, values: readonly CallValue[], sources: Sources): Origin | undefined {
  const isOwner = isNamed(value, OWNERS);
  if (!isOwner && !isNamed(value, OWNED)) return undefined;
  const partners = values.filter(
    (one) =>
      isNamed(one, isOwner ? OWNED : OWNERS) && parentOf(one) === parentOf(value) && one.pointer !== value.pointer,
  );
  const [partner] = partners;
  if (!partner || partners.length > 1) return undefined;
  const [owner, repository] = isOwner ? [value.value, partner.value] : [partner.value, value.value];
  if (![owner, repository].every((part) => typeof part === "string" && PART.test(part))) return undefined;
  return sources.originOf(`${owner}/${repository}`);
}

const parentOf = ({ pointer }: CallValue): string => pointer.slice(0, pointer.lastIndexOf("/"));

/** `owner`, `repo_owner`, `repo`, `repo_name`: the first of these words that is known, an owner before what is owned. */
function isNamed({ pointer }: CallValue, names: ReadonlySet<string>): boolean {
  const words = nameWords(pointer.slice(pointer.lastIndexOf("/") + 1)).filter((word) => word !== "name");
  const isOwner = words.some((word) => OWNERS.has(word));
  return words.some((word) => names.has(word)) && isOwner === (names === OWNERS);
}
