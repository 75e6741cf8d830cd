/** Reads the policy's JSON Schema for a path in the document: the keys and values that fit there, and their descriptions. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface Suggestion {
  readonly label: string;
  /** The inserted text: JSON. */
  readonly apply: string;
  readonly info: string | undefined;
}

/** @param path keys and indexes from the root. @returns several schemas if the schema allows alternatives. */
function schemasAt(root: Schema, path: readonly string[]): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (schemas, key) => schemas.flatMap((schema) => childrenAt(schema, key)),
    variants(root),
  );
}

/** Keys that an object at this path may have and does not have yet. */
export function keysAt(root: Schema, path: readonly string[], present: ReadonlySet<string>): readonly Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const { properties } of schemasAt(root, path))
    for (const [label, schema] of Object.entries(isObject(properties) ? properties : {}))
      if (!present.has(label)) found.set(label, { label, apply: JSON.stringify(label), info: describe(schema) });
  return [...found.values()];
}

export function valuesAt(root: Schema, path: readonly string[]): readonly Suggestion[] {
  return schemasAt(root, path).flatMap((schema) => {
    const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : [];
    const all: readonly unknown[] = schema.type === "boolean" ? [true, false] : values;
    return all.map((value) => ({ label: String(value), apply: JSON.stringify(value), info: describe(schema) }));
  });
}

export const descriptionAt = (root: Schema, path: readonly string[]): string | undefined =>
  schemasAt(root, path)
    .map(describe)
    .find((text) => text !== undefined);

function childrenAt({ properties, additionalProperties, items }: Schema, key: string): readonly Schema[] {
  const named = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const child = named ?? (/^\d+$/.test(key) && items !== undefined ? items : additionalProperties);
  return isObject(child) ? variants(child) : [];
}

function variants(schema: Schema): readonly Schema[] {
  const several = [schema.anyOf, schema.oneOf].find(Array.isArray);
  return several ? [schema, ...several.filter(isObject).flatMap(variants)] : [schema];
}

function describe(schema: unknown): string | undefined {
  return isObject(schema) && typeof schema.description === "string" ? schema.description : undefined;
}
