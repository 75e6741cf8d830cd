/** What the JSON Schema of one argument says of its value. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";

/** The tool's author lists the possible values. */
export const isChoice = (schema: unknown): boolean =>
  isObject(schema) && (Array.isArray(schema.enum) || Object.hasOwn(schema, "const"));

export function textOf(schema: unknown, keyword: string): string | undefined {
  const value = isObject(schema) && Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return typeof value === "string" ? value : undefined;
}

export function typesOf(schema: unknown): ReadonlySet<string> {
  const type = isObject(schema) && Object.hasOwn(schema, "type") ? schema.type : undefined;
  const types = Array.isArray(type) ? type : [type];
  return new Set(types.filter((one) => typeof one === "string"));
}
