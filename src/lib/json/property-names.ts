/** The names that a JSON Schema has for members, at any depth. Pure. */
import { isObject } from "./json-value.ts";

/** The names in the rest of a larger schema are not known. */
const MAX_NODES = 5_000;

const known = new WeakMap<object, ReadonlySet<string>>();

/** Undefined if the schema names none: then no name can be recognised as made up. */
export function propertyNames(schema: unknown): ReadonlySet<string> | undefined {
  if (!isObject(schema)) return undefined;
  const names = known.get(schema) ?? collect(schema);
  known.set(schema, names);
  return names.size === 0 ? undefined : names;
}

function collect(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const left: unknown[] = [schema];
  for (let at = 0; at < left.length && at < MAX_NODES; at += 1) {
    const node = left[at];
    if (Array.isArray(node)) left.push(...(node as unknown[]));
    if (!isObject(node)) continue;
    for (const [keyword, value] of Object.entries(node)) {
      const members = keyword === "properties" && isObject(value) ? Object.entries(value) : undefined;
      for (const [name] of members ?? []) names.add(name);
      left.push(...(members?.map(([, member]) => member) ?? [value]));
    }
  }
  return names;
}
