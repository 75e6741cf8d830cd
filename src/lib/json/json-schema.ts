/**
 * Shared by every reader of a JSON Schema: which keywords hold schemas, where a `$ref` leads, which schemas apply to one value.
 * Pure. A schema is untrusted: only own members count, only local references are followed, and the work is bounded.
 */
import type { WorkBudget } from "../work-budget.ts";
import { isObject, memberOf, pointerKeys, valueAt } from "./json-value.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of an object without members. */
export const NO_MEMBERS: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** How each keyword holds schemas: one (before 2020-12 `items` could be a list), a list of them, or one for each name. */
export const SCHEMA_KEYWORDS: ReadonlyMap<string, "one" | "list" | "map"> = new Map([
  ...["additionalItems", "additionalProperties", "contains", "items", "propertyNames"].map(
    (name) => [name, "one"] as const,
  ),
  ...["not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties"].map((name) => [name, "one"] as const),
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map((name) => [name, "list"] as const),
  ...["$defs", "definitions", "dependencies", "dependentSchemas"].map((name) => [name, "map"] as const),
  ...["patternProperties", "properties"].map((name) => [name, "map"] as const),
]);

/** The value of a keyword, each schema in it replaced. */
export function mapSchemas(keyword: string, value: unknown, change: (schema: unknown) => unknown): unknown {
  const shape = SCHEMA_KEYWORDS.get(keyword);
  if (shape === undefined || (shape === "map" && !isObject(value))) return value;
  if (Array.isArray(value)) return value.map(change);
  if (shape !== "map") return change(value);
  // `fromEntries` defines members: a property may be called `__proto__`.
  return Object.fromEntries(Object.entries(value as JsonSchema).map(([name, part]) => [name, change(part)]));
}

/** Keywords whose schemas apply to the value itself, at least in some cases. */
export const SAME_VALUE = ["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"] as const;

const MAX_SCHEMAS = 200;

/**
 * The schema and those that its keywords apply to the same value, each with its path; `true` is `{}`.
 * @param keywords of `SAME_VALUE`, and `$ref`. A reference that leads out of the schema counts as `true`.
 */
export function* appliedSchemas(
  root: unknown,
  schema: unknown,
  keywords: readonly string[],
): Generator<{ readonly schema: JsonSchema; readonly path: readonly string[] }> {
  const seen = new Set<JsonSchema>();
  const queue: { schema: unknown; path: readonly string[] }[] = [{ schema, path: [] }];
  for (const { schema: found, path } of queue) {
    if (seen.size >= MAX_SCHEMAS) return;
    const part = found === true ? {} : found;
    if (!isObject(part) || seen.has(part)) continue;
    seen.add(part);
    yield { schema: part, path };
    for (const keyword of keywords) {
      const value = memberOf(part, keyword);
      if (value === undefined) continue;
      if (keyword === "$ref") queue.push({ schema: referenced(root, value) ?? true, path: [...path, keyword] });
      else if (SCHEMA_KEYWORDS.get(keyword) === "one") queue.push({ schema: value, path: [...path, keyword] });
      else
        for (const [key, one] of Object.entries(value ?? {}))
          queue.push({ schema: one, path: [...path, keyword, key] });
    }
  }
}

/** The schema that a local `$ref` names. */
function referenced(root: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return undefined;
  return valueAt(root, pointerKeys(decoded(reference.slice(1))));
}

/** Decodes percent escapes; returns the text unchanged if they are malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MAX_REFERENCES = 16;

/** The schema with its `$ref` followed; undefined if it is no schema, or the reference leads nowhere. */
export function followReference(root: unknown, schema: unknown): JsonSchema | undefined {
  let at = schema;
  for (let steps = 0; steps <= MAX_REFERENCES; steps += 1) {
    if (!isObject(at)) return undefined;
    const reference = memberOf(at, "$ref");
    if (typeof reference !== "string") return at;
    at = referenced(root, reference);
  }
  return undefined;
}

/**
 * The schemas of an object's members by name; of `allOf` those of all.
 * @param work for a caller that repeats this. Then it throws `WorkSpent`.
 */
export function memberSchemas(root: unknown, schema: unknown, work?: WorkBudget): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (const properties of propertiesOf(root, schema, work)) {
    const entries = Object.entries(properties);
    work?.spend(2 * entries.length);
    for (const [name, part] of entries) if (!members.has(name)) members.set(name, part);
  }
  return members;
}

/** The schema of one member, as `memberSchemas` has it. Throws `WorkSpent`. */
export function memberSchema(root: unknown, schema: unknown, name: string, work: WorkBudget): unknown {
  for (const properties of propertiesOf(root, schema, work)) {
    const part = memberOf(properties, name);
    if (part !== undefined) return part;
  }
  return undefined;
}

function* propertiesOf(root: unknown, schema: unknown, work?: WorkBudget): Generator<JsonSchema> {
  for (const { schema: part } of appliedSchemas(root, schema, ["allOf", "$ref"])) {
    work?.spend(10);
    const properties = memberOf(part, "properties");
    if (isObject(properties)) yield properties;
  }
}
