/** What a tool's JSON Schema says of one place in its arguments. Pure. */
import { followReference, memberSchema } from "../lib/json/json-schema.ts";
import { isObject, memberOf } from "../lib/json/json-value.ts";
import type { WorkBudget } from "../lib/work-budget.ts";

/** Alternatives that are looked at, in all. */
const MAX_LOOKED = 64;

/** A schema that can be used alone; undefined where nothing is said of the place. Throws `WorkSpent`. */
export function placeSchema(root: unknown, tokens: readonly string[], work: WorkBudget): unknown {
  let schemas: readonly unknown[] = [root];
  for (const token of tokens) {
    const budget = { left: MAX_LOOKED, work };
    schemas = schemas.flatMap((schema) => childSchemas(root, schema, token, budget)).slice(0, MAX_LOOKED);
  }
  const found = schemas.map((schema) => followReference(root, schema) ?? schema).filter((schema) => schema !== true);
  if (found.length === 0) return undefined;
  return withDefinitions(root, found.length === 1 ? found[0] : { anyOf: found });
}

/** The schema's own for the member or item, else those of its alternatives. */
function childSchemas(
  root: unknown,
  schema: unknown,
  token: string,
  budget: { left: number; readonly work: WorkBudget },
): readonly unknown[] {
  budget.left -= 1;
  const at = budget.left < 0 ? undefined : followReference(root, schema);
  if (at === undefined) return [];
  const own = memberSchema(root, at, token, budget.work) ?? itemSchema(at, token);
  if (own !== undefined) return [own];
  const alternatives = ["anyOf", "oneOf"].flatMap((keyword) => memberOf(at, keyword) ?? []) as unknown[];
  const found = alternatives.flatMap((one) => childSchemas(root, one, token, budget));
  if (found.length > 0) return found;
  const additional = memberOf(at, "additionalProperties");
  return isObject(additional) ? [additional] : [];
}

function itemSchema(schema: Readonly<Record<string, unknown>>, token: string): unknown {
  if (!/^\d+$/.test(token)) return undefined;
  const items = memberOf(schema, "items");
  // Before 2020-12 a tuple was a list of `items`.
  const tuple = memberOf(schema, "prefixItems") ?? items;
  const own: unknown = Array.isArray(tuple) ? tuple[Number(token)] : undefined;
  return own ?? (isObject(items) ? items : undefined);
}

/** With the definitions that its references need. */
function withDefinitions(root: unknown, schema: unknown): unknown {
  if (!isObject(schema) || !isObject(root) || !JSON.stringify(schema).includes('"$ref"')) return schema;
  const names = ["$schema", "$defs", "definitions"].filter((name) => Object.hasOwn(root, name));
  return { ...Object.fromEntries(names.map((name) => [name, root[name]])), ...schema };
}
