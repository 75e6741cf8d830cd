/** The values that keywords of a JSON Schema may have, except for the schemas and patterns in them. Pure. */
import { SCHEMA_KEYWORDS } from "../../../lib/json/json-schema.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";

type Kind = readonly [accepts: (value: unknown) => boolean, words: string];

const isNumber = (value: unknown): value is number => typeof value === "number";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";

/** Some serialisers write a null among the names. */
export const isListOfNames = (value: unknown): value is readonly (string | null)[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string" || one === null);

const list: Kind = [Array.isArray, "a list"];
const object: Kind = [isObject, "an object"];
const text: Kind = [(value) => typeof value === "string", "a string"];
const number: Kind = [isNumber, "a number"];
const names: Kind = [isListOfNames, "a list of strings"];
const namesByName: Kind = [
  (value) => isObject(value) && Object.values(value).every(isListOfNames),
  "an object of lists of strings",
];

const kinds = new Map<string, Kind>([
  ["$ref", text],
  ["pattern", text],
  ["enum", list],
]);
for (const [keyword, holds] of SCHEMA_KEYWORDS)
  if (holds !== "one") kinds.set(keyword, holds === "list" ? list : object);

/** Null in place of these means that the keyword is absent: many serialisers write it. */
const nullable = new Map<string, Kind>([
  ["required", names],
  ["dependentRequired", namesByName],
  ["format", text],
  ["uniqueItems", [isBoolean, "true or false"]],
  // Draft 4 has true and false here.
  ["exclusiveMinimum", [(value) => isNumber(value) || isBoolean(value), "a number"]],
  ["exclusiveMaximum", [(value) => isNumber(value) || isBoolean(value), "a number"]],
  // No number, or every number, is a multiple of others.
  ["multipleOf", [(value) => isNumber(value) && value > 0, "a number above 0"]],
]);
for (const keyword of "minimum maximum minLength maxLength minItems maxItems minProperties maxProperties".split(" "))
  nullable.set(keyword, number);

const typeNames = ["null", "boolean", "number", "integer", "string", "object", "array"];

function typeFault(value: unknown): string | undefined {
  const wrong = [value].flat().find((name) => !typeNames.includes(name as string));
  if (wrong === undefined) return undefined;
  if (typeof wrong !== "string") return "`type` must be a string or a list of strings";
  const near = nearestName(wrong, typeNames);
  const advice = near === undefined ? `use one of ${typeNames.join(", ")}` : `did you mean \`${near}\`?`;
  return `\`${wrong.slice(0, 100)}\` is not a type, ${advice}`;
}

/** @returns what is wrong; undefined if nothing is, or if the keyword demands nothing. */
export function keywordFault(keyword: string, value: unknown): string | undefined {
  const isAbsent = value === null || value === undefined;
  if (keyword === "type") return isAbsent ? undefined : typeFault(value);
  const [accepts, words] = kinds.get(keyword) ?? (isAbsent ? undefined : nullable.get(keyword)) ?? [];
  return accepts === undefined || accepts(value) ? undefined : `\`${keyword}\` must be ${words}`;
}
