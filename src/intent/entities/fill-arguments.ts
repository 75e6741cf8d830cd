/**
 * Which arguments of a tool the user's own words already give. Pure. Never a value that the property's schema refuses, and
 * no guess: if two properties or two values could be meant, none is filled.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import type { Entity } from "../detection.ts";

type Value = string | number;
type AcceptsValue = (property: string, value: Value) => boolean;

/** By JSON Schema's `format`. */
const entityOfFormat: Readonly<Record<string, string>> = {
  email: "email",
  "idn-email": "email",
  uri: "url",
  url: "url",
  iri: "url",
  "uri-reference": "url",
  date: "date",
  "date-time": "date",
};

/**
 * By the property's name first, in any spelling (`grammar_point`, `grammarPoint`): the first value of that name counts;
 * then by its `format`; then by its `enum`.
 * @param schema a tool's JSON Schema, as untrusted as clients are.
 */
export function fillArguments(schema: unknown, entities: readonly Entity[], work: WorkBudget): Record<string, Value> {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : undefined;
  if (!isObject(schema) || properties === undefined || entities.length === 0) return {};
  const accepts = acceptor(schema, work);
  if (accepts === undefined) return {};
  const filled = new Map<string, Value>();
  const names = Object.keys(properties);
  for (const name of names) fillByName(name, entities, accepts, filled);
  fillByFormat(properties, entities, accepts, filled);
  fillByEnum(properties, entities, accepts, filled);
  // Defines properties, so that one called `__proto__` stays a property.
  return Object.fromEntries(names.flatMap((name) => (filled.has(name) ? [[name, filled.get(name) ?? ""]] : [])));
}

function fillByName(
  name: string,
  entities: readonly Entity[],
  accepts: AcceptsValue,
  filled: Map<string, Value>,
): void {
  for (const entity of entities) {
    if (spelling(entity.name) !== spelling(name)) continue;
    const value = coerced(name, entity, accepts);
    if (value !== undefined) return void filled.set(name, value);
  }
}

function fillByFormat(
  properties: JsonObject,
  entities: readonly Entity[],
  accepts: AcceptsValue,
  filled: Map<string, Value>,
) {
  const byEntity = Map.groupBy(Object.keys(properties), (name) => {
    const format = isObject(properties[name]) ? properties[name].format : undefined;
    return typeof format === "string" && Object.hasOwn(entityOfFormat, format) ? entityOfFormat[format] : undefined;
  });
  byEntity.delete(undefined);
  for (const [entity, [property, ...others]] of byEntity) {
    // It may be the sender's or the recipient's.
    if (property === undefined || others.length > 0 || filled.has(property)) continue;
    const values = entities.filter(({ name }) => name === entity).map((one) => coerced(property, one, accepts));
    const [value, second] = values.filter((one) => one !== undefined);
    if (value !== undefined && second === undefined) filled.set(property, value);
  }
}

function fillByEnum(
  properties: JsonObject,
  entities: readonly Entity[],
  accepts: AcceptsValue,
  filled: Map<string, Value>,
) {
  const offers = Object.keys(properties).flatMap((property) => {
    const members = isObject(properties[property]) ? properties[property].enum : undefined;
    if (!Array.isArray(members) || filled.has(property)) return [];
    const values = members.filter((member) => isValue(member) && entities.some((one) => means(one, member)));
    return values.length === 1 && accepts(property, values[0]) ? [{ property, value: values[0] as Value }] : [];
  });
  for (const { property, value } of offers) {
    const alone = offers.every((other) => other.property === property || fold(other.value) !== fold(value));
    if (alone) filled.set(property, value);
  }
}

/** Whether an argument is named with two values: "N4 or N3", "N3, not N4". The first of them fills it; a call must not guess. */
export function namesTwice(schema: unknown, entities: readonly Entity[]): boolean {
  const named = Map.groupBy(namedFor(schema, entities), ([property]) => property);
  return [...named.values()].some((values) => new Set(values.map(([, value]) => fold(value))).size > 1);
}

/** The value that the words name for each argument, also if it does not fit. */
export function namedFor(schema: unknown, entities: readonly Entity[]): (readonly [property: string, value: Value])[] {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return properties.flatMap((property) =>
    entities.flatMap(({ name, value }) => (spelling(name) === spelling(property) ? [[property, value] as const] : [])),
  );
}

/** Whether a value of one of these entities could ever be the property's. */
export function mayBeNamed(schema: unknown, property: string, entities: readonly string[]): boolean {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const own = Object.hasOwn(properties, property) ? properties[property] : undefined;
  // Composed or referenced schemas are not looked into.
  if (!isObject(own) || own.enum !== undefined || own.default !== undefined || own.$ref !== undefined) return true;
  const { format } = own;
  const byFormat =
    typeof format === "string" && Object.hasOwn(entityOfFormat, format) ? entityOfFormat[format] : undefined;
  return entities.some((name) => name === byFormat || spelling(name) === spelling(property));
}

/** The value in the first of its forms that the property's schema accepts. */
function coerced(property: string, { value }: Entity, accepts: AcceptsValue): Value | undefined {
  // A day without its year is no date yet.
  if (typeof value === "string" && value.startsWith("--")) return undefined;
  const number = typeof value === "string" && /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
  const forms = [value, ...(number === undefined ? [] : [number]), String(value)];
  return forms.find((form) => accepts(property, form));
}

/** Each property alone: whether others are required is not known yet. */
function acceptor(schema: JsonObject, work: WorkBudget): AcceptsValue | undefined {
  const { $schema, $defs, definitions, properties, patternProperties } = schema;
  const alone = { $schema, $defs, definitions, properties, patternProperties };
  const compiled = compileSchema(
    Object.fromEntries(Object.entries(alone).filter(([, part]) => part !== undefined)),
    work,
  );
  if (!compiled.ok) return undefined;
  return (property, value) => compiled.value.validate(Object.fromEntries([[property, value]]), work).length === 0;
}

const means = ({ value }: Entity, member: Value): boolean => fold(value) === fold(member);
const fold = (value: Value): string => String(value).toLowerCase();
const spelling = (name: string): string => name.replace(/[_\-\s]/g, "").toLowerCase();
const isValue = (value: unknown): value is Value => typeof value === "string" || typeof value === "number";
