/** Keywords about a value as a whole: its type, its size, its texts and numbers. Pure. */
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { isObject, type JsonObject } from "../../../lib/json/json-value.ts";
import { countCodePoints } from "../../../lib/text/characters.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { compilePattern } from "../linear-pattern.ts";
import { formats, MAX_FORMAT_LENGTH } from "./formats.ts";
import { type KeywordReaders, numberOf, type ReadKeyword, type SchemaReader, textOf } from "./read-keyword.ts";
import { fail, type Keyword, memberNames, type Run } from "./schema-node.ts";

const type: ReadKeyword = (schema) => {
  const named = schema.type ?? undefined;
  if (named === undefined) return undefined;
  const wanted = new Set([named].flat());
  if (isNullable(schema)) wanted.add("null");
  const expected = textFor(named);
  return (visit) => {
    const found = typeOf(visit.value);
    if (wanted.has(found) || (found === "number" && wanted.has("integer") && Number.isInteger(visit.value)))
      return true;
    return fail(visit, `must be of type ${expected}, not ${found}`);
  };
};

/** OpenAPI 3.0 writes `nullable` next to the type, and so do tools that are generated from it. */
const isNullable = (schema: JsonObject): boolean => schema.nullable === true;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const textFor = (value: unknown): string => (isComposite(value) ? JSON.stringify(value) : String(value));

export const isComposite = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Texts are compared, so that the order of keys does not matter and no comparison is quadratic. */
export function canonicalText(value: unknown, work: WorkBudget): string {
  const text = canonicalJson(value);
  work.spend(5 + text.length / 2);
  return text;
}

function oneOfValues(values: readonly unknown[], text: string, { work, holdsBytes }: SchemaReader): Keyword {
  holdsBytes(4 * text.length);
  const scalars = new Set(values.filter((value) => !isComposite(value)));
  const composites = new Set(values.filter(isComposite).map((value) => canonicalText(value, work)));
  const message = `must be ${text.slice(0, 200)}`;
  return (visit) => {
    const { value, run } = visit;
    const known = isComposite(value)
      ? composites.size > 0 && composites.has(canonicalText(value, run.work))
      : scalars.has(value);
    return known || fail(visit, message);
  };
}

const enumeration: ReadKeyword = (schema, reader) => {
  if (!Array.isArray(schema.enum)) return undefined;
  const values: readonly unknown[] = isNullable(schema) ? [...(schema.enum as unknown[]), null] : schema.enum;
  const text = JSON.stringify(values);
  reader.work.spend(text.length / 4);
  return oneOfValues(values, `one of ${text}`, reader);
};

const constant: ReadKeyword = (schema, reader) => oneOfValues([schema.const], textFor(schema.const), reader);

/** The size of a value that a keyword is about; undefined for values of other kinds. */
type Measure = (value: unknown, run: Run, limit: number) => number | undefined;

const itself: Measure = (value) => (typeof value === "number" ? value : undefined);
const items: Measure = (value) => (Array.isArray(value) ? value.length : undefined);
const properties: Measure = (value, run) => (isObject(value) ? memberNames(run, value).length : undefined);
const characters: Measure = (value, { work }, limit) => {
  if (typeof value !== "string") return undefined;
  // A character is one unit or two: there is often no need to count.
  if (value.length < limit || value.length > 2 * limit) return value.length;
  work.spend(value.length / 20);
  return countCodePoints(value);
};

type Compare = (size: number, limit: number) => boolean;
const atLeast: Compare = (size, limit) => size >= limit;
const atMost: Compare = (size, limit) => size <= limit;

const bound =
  (name: string, measure: Measure, fits: Compare, words: (limit: number, size: number) => string): ReadKeyword =>
  (schema) => {
    const limit = numberOf(schema, name);
    if (limit === undefined) return undefined;
    return (visit) => {
      const size = measure(visit.value, visit.run, limit);
      return size === undefined || fits(size, limit) || fail(visit, `must ${words(limit, size)}`);
    };
  };

/** In draft 4 a boolean, which makes the other bound exclusive. */
const exclusive =
  (name: string, inclusive: string, fits: Compare, words: string): ReadKeyword =>
  (schema, reader) => {
    if (schema[name] === false) return undefined;
    const bounding = schema[name] === true ? inclusive : name;
    return bound(bounding, itself, fits, (limit) => `be ${words} ${limit}`)(schema, reader);
  };

const multipleOf: ReadKeyword = (schema) => {
  const divisor = numberOf(schema, "multipleOf");
  if (divisor === undefined) return undefined;
  return (visit) =>
    typeof visit.value !== "number" ||
    isMultiple(visit.value, divisor, visit.run.work) ||
    fail(visit, `must be a multiple of ${divisor}`);
};

/** Exactly, as decimals: 0.3 is a multiple of 0.1, though the doubles are not. */
function isMultiple(value: number, divisor: number, work: WorkBudget): boolean {
  const quotient = value / divisor;
  if (Number.isInteger(value) && Number.isInteger(divisor) && Number.isSafeInteger(quotient))
    return value % divisor === 0;
  // Numbers of hundreds of digits.
  work.spend(50);
  const [a, b] = [decimal(value), decimal(divisor)];
  const shift = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent }: typeof a) => digits * 10n ** BigInt(exponent - shift);
  return scaled(a) % scaled(b) === 0n;
}

function decimal(value: number) {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
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
    // If a value may be left out, models often write an empty text.
    if (typeof value !== "string" || value === "") return true;
    if (value.length > MAX_FORMAT_LENGTH) return fail(visit, "is too long for its format");
    run.work.spend(1 + value.length / 4);
    return accepts(value, run.work) || fail(visit, `is not a valid ${name}`);
  };
};

const sizes: readonly (readonly [unit: string, measure: Measure, words: string])[] = [
  ["Length", characters, "characters"],
  ["Items", items, "items"],
  ["Properties", properties, "properties"],
];

export const valueKeywords: KeywordReaders = [
  ["type", type],
  ["enum", enumeration],
  ["const", constant],
  ["minimum", bound("minimum", itself, atLeast, (limit) => `be ${limit} or more`)],
  ["maximum", bound("maximum", itself, atMost, (limit) => `be ${limit} or less`)],
  ["exclusiveMinimum", exclusive("exclusiveMinimum", "minimum", (size, limit) => size > limit, "more than")],
  ["exclusiveMaximum", exclusive("exclusiveMaximum", "maximum", (size, limit) => size < limit, "less than")],
  ["multipleOf", multipleOf],
  ...sizes.flatMap(
    ([unit, measure, words]): KeywordReaders => [
      [
        `min${unit}`,
        bound(`min${unit}`, measure, atLeast, (least, size) => `have ${least} ${words} or more, not ${size}`),
      ],
      [
        `max${unit}`,
        bound(`max${unit}`, measure, atMost, (most, size) => `have ${most} ${words} or fewer, not ${size}`),
      ],
    ],
  ),
  ["pattern", pattern],
  ["format", format],
];
