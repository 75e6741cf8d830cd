/** What the keywords of a JSON Schema may hold, but for the schemas and patterns in them. Pure. */

import { isObject } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";

const typeNames = ["null", "boolean", "number", "integer", "string", "object", "array"];

type Fault = (value: unknown, keyword: string) => string | undefined;

const listFault: Fault = (value, keyword) => (Array.isArray(value) ? undefined : `\`${keyword}\` must be a list`);

const objectFault: Fault = (value, keyword) => (isObject(value) ? undefined : `\`${keyword}\` must be an object`);

const textFault: Fault = (value, keyword) =>
  typeof value === "string" ? undefined : `\`${keyword}\` must be a string`;

/** Many serialisers write null for "absent". */
const unlessNull =
  (fault: Fault): Fault =>
  (value, keyword) =>
    value === null || value === undefined ? undefined : fault(value, keyword);

const numberFault: Fault = (value, keyword) =>
  typeof value === "number" ? undefined : `\`${keyword}\` must be a number`;

/** Draft 4 has true and false here. */
const exclusiveFault: Fault = (value, keyword) =>
  typeof value === "boolean" ? undefined : numberFault(value, keyword);

/** It would be held by no number, or by each. */
const divisorFault: Fault = (value, keyword) =>
  numberFault(value, keyword) ?? (Number(value) > 0 ? undefined : `\`${keyword}\` must be more than 0`);

const booleanFault: Fault = (value, keyword) =>
  typeof value === "boolean" ? undefined : `\`${keyword}\` must be true or false`;

const namesFault: Fault = (value, keyword) =>
  isListOfStrings(value) ? undefined : `\`${keyword}\` must be a list of strings`;

const namesByNameFault: Fault = (value, keyword) =>
  isObject(value) && Object.values(value).every(isListOfStrings)
    ? undefined
    : `\`${keyword}\` must be an object of lists of strings`;

const typeFault: Fault = (value) => {
  const wrong = (Array.isArray(value) ? value : [value]).find((name) => !typeNames.includes(name));
  if (wrong === undefined) return undefined;
  if (typeof wrong !== "string") return "`type` must be a string or a list of strings";
  const near = nearestName(wrong, typeNames);
  const advice = near === undefined ? `use one of ${typeNames.join(", ")}` : `did you mean \`${near}\`?`;
  return `\`${wrong.slice(0, 100)}\` is no type, ${advice}`;
};

/** In draft 7 what demands something of the value itself does not count beside a `$ref`. */
const ofValue = new Map<string, Fault>([
  ["const", () => undefined],
  ["enum", listFault],
  ["pattern", textFault],
  ["type", unlessNull(typeFault)],
  ["required", unlessNull(namesFault)],
  ["dependentRequired", unlessNull(namesByNameFault)],
  ["format", unlessNull(textFault)],
  ["uniqueItems", unlessNull(booleanFault)],
  ["exclusiveMinimum", unlessNull(exclusiveFault)],
  ["exclusiveMaximum", unlessNull(exclusiveFault)],
  ["multipleOf", unlessNull(divisorFault)],
]);
for (const name of "minimum maximum minLength maxLength minItems maxItems minProperties maxProperties".split(" "))
  ofValue.set(name, unlessNull(numberFault));

const ofParts = new Map<string, Fault>([["$ref", textFault]]);
for (const name of "allOf anyOf oneOf prefixItems".split(" ")) ofParts.set(name, listFault);
for (const name of "$defs definitions dependencies dependentSchemas patternProperties properties".split(" "))
  ofParts.set(name, objectFault);

export const isOfValue = (keyword: string): boolean => ofValue.has(keyword);

/** @returns what is wrong; undefined where nothing is, or the keyword demands nothing. */
export const keywordFault = (keyword: string, value: unknown): string | undefined =>
  (ofValue.get(keyword) ?? ofParts.get(keyword))?.(value, keyword);

/** What follows a null is passed over, and the null itself. */
export const isListOfStrings = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && (value.find((one) => typeof one !== "string") ?? null) === null;
