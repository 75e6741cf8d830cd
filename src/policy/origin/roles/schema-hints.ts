/** Reads hints about a value from the JSON Schema of its argument. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";

/** The tool's author lists the possible values. */
export const isChoice = (schema: unknown): boolean =>
  isObject(schema) && ((Array.isArray(schema.enum) && schema.enum.length > 0) || Object.hasOwn(schema, "const"));

export function textOf(schema: unknown, keyword: string): string | undefined {
  const value = isObject(schema) && Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return typeof value === "string" ? value : undefined;
}

export function typesOf(schema: unknown): ReadonlySet<string> {
  const type = isObject(schema) && Object.hasOwn(schema, "type") ? schema.type : undefined;
  const types = Array.isArray(type) ? type : [type];
  return new Set(types.filter((one) => typeof one === "string"));
}

const WAYS: ReadonlySet<string> = new Set(
  "email mail sms text mms phone call voice push whatsapp chat web app in_app letter post fax".split(" "),
);

/** The possible values are means to reach a person, and no particular person. */
export const isChoiceOfWays = (schema: unknown): boolean =>
  isObject(schema) &&
  Array.isArray(schema.enum) &&
  schema.enum.length > 0 &&
  schema.enum.every((one) => typeof one === "string" && WAYS.has(one.toLowerCase().replace(/[^a-z]+/g, "_")));

/** "The ID of the price": whatever its name, the argument says which one. */
export const saysIdOf = (schema: unknown): boolean =>
  /\b(?:ids?|identifier|uuid)\s+(?:of|for)\b/i.test(textOf(schema, "description")?.slice(0, 80) ?? "");

/** "Kinds of devices, such as `light`", examples that have no dot: a domain that is no host. */
export const saysKindOf = (schema: unknown): boolean =>
  /\b(?:devices?|entit(?:y|ies)|kinds?|types?|categor(?:y|ies))\b/i.test(
    textOf(schema, "description")?.slice(0, 200) ?? "",
  ) ||
  (isObject(schema) &&
    Array.isArray(schema.examples) &&
    schema.examples.length > 0 &&
    schema.examples.every((one) => typeof one === "string" && /^\p{L}+$/u.test(one)));
