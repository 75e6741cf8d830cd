/** Fills a call's arguments with the defaults of its schema, so that a person is shown what will run. Pure. */

import { followReference, memberSchemas } from "../../lib/json/json-schema.ts";
import { isObject, memberOf } from "../../lib/json/json-value.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";

const MAX_DEPTH = 32;
const MAX_FILLED = 2_000;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * @returns a copy, or the same object if nothing is filled in. Nested objects get their defaults too if they are present; absent ones are
 * not created. If the schema refuses its own defaults, none is filled in. Throws `WorkSpent`.
 */
export function fillDefaults(schema: unknown, args: Arguments, work: WorkBudget): Arguments {
  const walk: DefaultFill = { root: schema, left: MAX_FILLED, work };
  const filled = fill(walk, schema, args, 0);
  if (filled === args || !isObject(filled)) return args;
  const compiled = compileSchema(schema, work);
  const fits = (value: unknown) => compiled.ok && compiled.value.validate(value, work).length === 0;
  return fits(filled) || !fits(args) ? filled : args;
}

interface DefaultFill {
  readonly root: unknown;
  left: number;
  readonly work: WorkBudget;
}

function fill(walk: DefaultFill, schema: unknown, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH || walk.left <= 0) return value;
  walk.left -= 1;
  if (Array.isArray(value)) {
    const items = memberOf(followReference(walk.root, schema) ?? {}, "items");
    if (!isObject(items)) return value;
    const filled = value.map((item: unknown) => fill(walk, items, item, depth + 1));
    return filled.some((item, index) => item !== value[index]) ? filled : value;
  }
  if (!isObject(value)) return value;
  const changes: [string, unknown][] = [];
  for (const [name, part] of memberSchemas(walk.root, schema, walk.work)) {
    if (name === "__proto__") continue;
    const was = memberOf(value, name);
    const now = Object.hasOwn(value, name) ? fill(walk, part, was, depth + 1) : defaultOf(walk, part);
    if (now !== was) changes.push([name, now]);
  }
  // `fromEntries` defines own properties, so a key such as `toString` stays a key.
  return changes.length > 0 ? Object.fromEntries([...Object.entries(value), ...changes]) : value;
}

function defaultOf(walk: DefaultFill, schema: unknown): unknown {
  const direct = isObject(schema) ? memberOf(schema, "default") : undefined;
  const value = direct ?? memberOf(followReference(walk.root, schema) ?? {}, "default");
  return value === undefined ? undefined : structuredClone(value);
}
