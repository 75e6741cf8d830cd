/** Makes the fields of a form from a JSON schema and the present values. */
import { isObject } from "../../lib/json/json-value.ts";

type Scalar = string | number | boolean | null;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** Whether `null` is allowed. */
  readonly nullable: boolean;
  readonly input: Input;
}

export type ItemInput =
  | { readonly kind: "text"; readonly long: boolean }
  | { readonly kind: "number"; readonly whole: boolean }
  | { readonly kind: "choice"; readonly options: readonly Scalar[] };

export type Input =
  | ItemInput
  | { readonly kind: "truth" }
  | { readonly kind: "list"; readonly item: ItemInput }
  | { readonly kind: "group"; readonly fields: readonly Field[] }
  /** Edited as JSON text, because no form fits. */
  | { readonly kind: "json" };

/** The mark that the API returns for a redacted value. */
export const HIDDEN = "[redacted]";

/** Whether the value is or contains a redacted value. */
export function holdsHidden(value: unknown): boolean {
  if (value === HIDDEN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsHidden);
}

type Schema = Readonly<Record<string, unknown>>;

/** Longer texts, and texts of several lines, get a text area. */
const LONG = 60;

/** The schema's fields in its order, then fields that only the values have. */
export function fieldsOf(schema: unknown, values: Schema, depth = 0): readonly Field[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const names = new Set([...Object.keys(properties), ...Object.keys(values)]);
  return [...names].map((name) => fieldOf(name, own(properties, name), own(values, name), required, depth));
}

function fieldOf(name: string, declared: unknown, value: unknown, required: readonly unknown[], depth: number): Field {
  const { schema, nullable } = withoutNull(isObject(declared) ? declared : {});
  const fits = inputOf(schema, value, depth);
  return {
    name,
    label: textOf(schema.title) ?? name,
    description: textOf(schema.description),
    required: required.includes(name),
    nullable: nullable || value === null,
    input: holds(fits, value) ? fits : { kind: "json" },
  };
}

/** The other member of a nullable union: `["array", "null"]`, or `anyOf` with a `null` in it. */
function withoutNull(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  const { type, anyOf, oneOf } = schema;
  if (Array.isArray(type) && type.includes("null") && type.length === 2)
    return { schema: { ...schema, type: type.find((one) => one !== "null") }, nullable: true };
  const members = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const [other, ...more] = members.filter((one) => !isObject(one) || one.type !== "null");
  if (members.length < 2 || more.length > 0 || !isObject(other)) return { schema, nullable: false };
  const { anyOf: _, oneOf: __, ...around } = schema;
  return { schema: { ...around, ...other }, nullable: true };
}

function inputOf(schema: Schema, value: unknown, depth: number): Input {
  const type = schema.type ?? typeOf(value);
  const item = itemOf(schema, type, value);
  if (item) return item;
  if (type === "boolean") return { kind: "truth" };
  if (type === "array") {
    const declared = isObject(schema.items) ? schema.items : {};
    const first = Array.isArray(value) ? value[0] : undefined;
    const each = itemOf(declared, declared.type ?? typeOf(first) ?? "string", undefined);
    return each ? { kind: "list", item: each } : { kind: "json" };
  }
  if (type === "object" && depth === 0 && isObject(schema.properties))
    return { kind: "group", fields: fieldsOf(schema, isObject(value) ? value : {}, 1) };
  return { kind: "json" };
}

function itemOf(schema: Schema, type: unknown, value: unknown): ItemInput | undefined {
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.every(isScalar))
    return { kind: "choice", options: schema.enum };
  if (schema.$ref !== undefined || schema.anyOf !== undefined || schema.oneOf !== undefined) return undefined;
  if (type === "string") {
    const room = typeof value === "string" && (value.length > LONG || value.includes("\n"));
    return { kind: "text", long: room || Number(schema.maxLength ?? 0) > 500 };
  }
  if (type === "number" || type === "integer") return { kind: "number", whole: type === "integer" };
  return undefined;
}

/** Whether the input can show the value: the model's value may not fit the schema. */
function holds(input: Input, value: unknown): boolean {
  if (value === undefined || value === null || value === HIDDEN) return true;
  switch (input.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && (!input.whole || Number.isSafeInteger(value));
    case "truth":
      return typeof value === "boolean";
    case "choice":
      return input.options.some((one) => one === value);
    case "list":
      return Array.isArray(value) && value.every((one) => one !== null && holds(input.item, one) && one !== HIDDEN);
    case "group":
      return isObject(value);
    case "json":
      return true;
  }
}

function typeOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? "array" : typeof value;
}

const own = (object: Schema, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== "object";
