/** What a tool's JSON Schema says of one place in its arguments. Pure. */

import { followed, memberSchema, ownOf } from "../approvals/edit/schema-at.ts";
import { isObject } from "../lib/json/json-object.ts";
import type { WorkBudget } from "../lib/work-budget.ts";

/** Branches of alternatives that are looked at, over all. */
const MAX_LOOKED = 64;

/** The schema with what its references need, or undefined where nothing is said of the place. */
export function placeSchema(root: unknown, tokens: readonly string[], work: WorkBudget): unknown {
  let at: readonly unknown[] = [root];
  for (const token of tokens) {
    at = at.flatMap((schema) => within(root, schema, token, { left: MAX_LOOKED, work })).slice(0, MAX_LOOKED);
    if (at.length === 0) return undefined;
  }
  const said = at.map((schema) => followed(root, schema) ?? schema).filter((schema) => schema !== true);
  if (said.length === 0) return undefined;
  return withDefinitions(root, said.length === 1 ? said[0] : { anyOf: said });
}

interface Looks {
  left: number;
  readonly work: WorkBudget;
}

/** The schemas of a member or an item: the schema's own, else those of its alternatives. */
function within(root: unknown, schema: unknown, token: string, looks: Looks): readonly unknown[] {
  looks.left -= 1;
  const at = looks.left < 0 ? undefined : followed(root, schema);
  if (at === undefined) return [];
  const member = memberSchema(root, at, token, looks.work);
  if (member !== undefined) return [member];
  const item = /^\d+$/.test(token) ? itemSchema(at, Number(token)) : undefined;
  if (item !== undefined) return [item];
  const alternatives = ["anyOf", "oneOf"].flatMap((keyword) => ownOf(at, keyword) ?? []) as unknown[];
  const found = alternatives.flatMap((one) => within(root, one, token, looks));
  if (found.length > 0) return found;
  const additional = ownOf(at, "additionalProperties");
  return isObject(additional) ? [additional] : [];
}

function itemSchema(schema: Readonly<Record<string, unknown>>, index: number): unknown {
  const items = ownOf(schema, "items");
  // Before 2020-12 a tuple was a list of `items`.
  const tuple = ownOf(schema, "prefixItems") ?? items;
  const own: unknown = Array.isArray(tuple) ? tuple[index] : undefined;
  return own ?? (isObject(items) ? items : undefined);
}

/** By itself it must mean what it means in its place. */
function withDefinitions(root: unknown, schema: unknown): unknown {
  if (!isObject(schema) || !isObject(root) || !JSON.stringify(schema).includes('"$ref"')) return schema;
  const kept = ["$schema", "$defs", "definitions"].filter((name) => Object.hasOwn(root, name));
  return { ...Object.fromEntries(kept.map((name) => [name, root[name]])), ...schema };
}
