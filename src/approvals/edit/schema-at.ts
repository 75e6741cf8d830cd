/** Reading a JSON Schema by hand, in bounded work: own properties, local references. Pure. */
import { isObject, pointerKeys, valueAt } from "../../lib/json/json-value.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";

export type SchemaObject = Readonly<Record<string, unknown>>;

const MAX_REFS = 16;

/** The schema itself, its `$ref` followed; undefined where it is none, or leads nowhere. */
export function followed(root: unknown, schema: unknown): SchemaObject | undefined {
  let at = schema;
  for (let steps = 0; steps <= MAX_REFS; steps += 1) {
    if (!isObject(at)) return undefined;
    const ref = ownOf(at, "$ref");
    if (typeof ref !== "string") return at;
    at = isObject(root) ? resolveRef(root, ref) : undefined;
  }
  return undefined;
}

/** The schema that a local `$ref` names, by own properties only. */
function resolveRef(root: SchemaObject, ref: string): unknown {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  return valueAt(root, pointerKeys(decode(ref.slice(1))));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The schemas of an object's members by name; of `allOf` those of all.
 * @param work for whoever asks again and again. Then it throws `WorkSpent`.
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
    const part = ownOf(properties, name);
    if (part !== undefined) return part;
  }
  return undefined;
}

function* propertiesOf(root: unknown, schema: unknown, work?: WorkBudget): Generator<SchemaObject> {
  const queue: unknown[] = [schema];
  for (let looked = 0; queue.length > 0 && looked < 64; looked += 1) {
    work?.spend(10);
    const at = followed(root, queue.shift());
    if (!at) continue;
    const properties = ownOf(at, "properties");
    if (isObject(properties)) yield properties;
    const all = ownOf(at, "allOf");
    if (Array.isArray(all)) queue.push(...all.slice(0, 64));
  }
}

export const ownOf = (record: SchemaObject, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
