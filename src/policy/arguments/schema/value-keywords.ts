/** Keywords about a value as a whole: its type, its texts and numbers. Pure. */
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { countCodePoints } from "../../../lib/text/characters.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { compilePattern } from "../linear-pattern.ts";
import { formats, MAX_FORMAT_LENGTH } from "./formats.ts";
import { isMultiple } from "./is-multiple.ts";
import { fail, type Keyword } from "./schema-node.ts";
import { listOf, numberOf, type ReadKeyword, textOf } from "./schema-reader.ts";

const type: ReadKeyword = (schema) => {
  const named = schema.type ?? undefined;
  if (named === undefined) return undefined;
  const wanted = new Set([named].flat());
  const expected = shown(named);
  return (visit) => {
    const found = typeOf(visit.value);
    if (wanted.has(found) || (found === "number" && wanted.has("integer") && Number.isInteger(visit.value)))
      return true;
    return fail(visit, `must be of type ${expected}, not ${found}`);
  };
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const shown = (value: unknown): string => (isComposite(value) ? JSON.stringify(value) : String(value));

export const isComposite = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Texts are compared, so that neither the order of keys nor a quadratic comparison plays a part. */
export function canonicalText(value: unknown, work: WorkBudget): string {
  const text = canonicalJson(value);
  work.spend(5 + text.length / 2);
  return text;
}

function valuesKeyword(values: readonly unknown[], message: string, work: WorkBudget): Keyword {
  const scalars = new Set(values.filter((value) => !isComposite(value)));
  const composites = new Set(values.filter(isComposite).map((value) => canonicalText(value, work)));
  return (visit) => {
    const { value, run } = visit;
    const known = isComposite(value)
      ? composites.size > 0 && composites.has(canonicalText(value, run.work))
      : scalars.has(value);
    return known || fail(visit, message);
  };
}

const enumeration: ReadKeyword = (schema, { work, holdsBytes }) => {
  const values = listOf(schema, "enum");
  if (values === undefined) return undefined;
  const text = JSON.stringify(values);
  work.spend(text.length / 4);
  holdsBytes(4 * text.length);
  return valuesKeyword(values, `must be one of ${text.slice(0, 200)}`, work);
};

const constant: ReadKeyword = (schema, { work, holdsBytes }) => {
  const text = shown(schema.const);
  holdsBytes(4 * text.length);
  return valuesKeyword([schema.const], `must be ${text.slice(0, 200)}`, work);
};

type Compare = (value: number, limit: number) => boolean;

const bound =
  (name: string, words: (limit: number) => string, fits: Compare): ReadKeyword =>
  (schema) => {
    const limit = numberOf(schema, name);
    return limit === undefined ? undefined : bounded(limit, words(limit), fits);
  };

/** In draft 4 it is a boolean, which makes the other bound exclusive. */
const exclusive =
  (name: string, inclusive: string, words: (limit: number) => string, fits: Compare): ReadKeyword =>
  (schema) => {
    const isFlag = typeof schema[name] === "boolean";
    const limit = isFlag && !schema[name] ? undefined : numberOf(schema, isFlag ? inclusive : name);
    return limit === undefined ? undefined : bounded(limit, words(limit), fits);
  };

const bounded =
  (limit: number, words: string, fits: Compare): Keyword =>
  (visit) =>
    typeof visit.value !== "number" || fits(visit.value, limit) || fail(visit, `must be ${words}`);

const multipleOf: ReadKeyword = (schema) => {
  const divisor = numberOf(schema, "multipleOf");
  if (divisor === undefined) return undefined;
  return (visit) =>
    typeof visit.value !== "number" ||
    isMultiple(visit.value, divisor, visit.run.work) ||
    fail(visit, `must be a multiple of ${divisor}`);
};

const minLength: ReadKeyword = (schema) => {
  const least = numberOf(schema, "minLength");
  if (least === undefined) return undefined;
  return (visit) => {
    const { value } = visit;
    if (typeof value !== "string" || value.length >= 2 * least) return true;
    const length = codePoints(value, visit.run.work);
    return length >= least || fail(visit, `must have ${least} characters or more, not ${length}`);
  };
};

const maxLength: ReadKeyword = (schema) => {
  const most = numberOf(schema, "maxLength");
  if (most === undefined) return undefined;
  return (visit) => {
    const { value } = visit;
    if (typeof value !== "string" || value.length <= most) return true;
    const length = codePoints(value, visit.run.work);
    return length <= most || fail(visit, `must have ${most} characters or fewer, not ${length}`);
  };
};

function codePoints(text: string, work: WorkBudget): number {
  work.spend(text.length / 20);
  return countCodePoints(text);
}

const pattern: ReadKeyword = (schema, { work, refuse, holdsBytes }) => {
  const source = textOf(schema, "pattern");
  if (source === undefined) return undefined;
  const compiled = compilePattern(source, work);
  if (!compiled.ok) return refuse(`its pattern is not supported: ${compiled.error.slice(0, 150)}`, "pattern");
  holdsBytes(compiled.value.bytes);
  return (visit) =>
    typeof visit.value !== "string" ||
    compiled.value.test(visit.value, visit.run.work) ||
    fail(visit, `must match the pattern ${source}`);
};

const format: ReadKeyword = (schema) => {
  const name = textOf(schema, "format") ?? "";
  const accepts = formats.get(name);
  if (accepts === undefined) return undefined;
  return (visit) => {
    const { value, run } = visit;
    // Where a value may be left out, models often write an empty text.
    if (typeof value !== "string" || value === "") return true;
    if (value.length > MAX_FORMAT_LENGTH) return fail(visit, "is too long for its format");
    run.work.spend(1 + value.length / 4);
    return accepts(value, run.work) || fail(visit, `is not a valid ${name}`);
  };
};

export const valueKeywords: readonly (readonly [string, ReadKeyword])[] = [
  ["type", type],
  ["enum", enumeration],
  ["const", constant],
  [
    "minimum",
    bound(
      "minimum",
      (limit) => `${limit} or more`,
      (value, limit) => value >= limit,
    ),
  ],
  [
    "maximum",
    bound(
      "maximum",
      (limit) => `${limit} or less`,
      (value, limit) => value <= limit,
    ),
  ],
  [
    "exclusiveMinimum",
    exclusive(
      "exclusiveMinimum",
      "minimum",
      (limit) => `more than ${limit}`,
      (value, limit) => value > limit,
    ),
  ],
  [
    "exclusiveMaximum",
    exclusive(
      "exclusiveMaximum",
      "maximum",
      (limit) => `less than ${limit}`,
      (value, limit) => value < limit,
    ),
  ],
  ["multipleOf", multipleOf],
  ["minLength", minLength],
  ["maxLength", maxLength],
  ["pattern", pattern],
  ["format", format],
];
