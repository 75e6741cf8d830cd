/** A placeholder that nobody can fill in: its places take values of different types. Pure. */

import { ownOf } from "../approvals/edit/schema-at.ts";
import { isObject } from "../lib/json/json-object.ts";
import type { Placeholder, PlanFault } from "./plan.ts";

/** The planner is told to use two. */
export function placeholderFault({ name, schema, places }: Placeholder): PlanFault | undefined {
  const all = isObject(schema) ? ownOf(schema, "allOf") : undefined;
  const types = Array.isArray(all) ? all.flatMap((one) => typesOf(one)) : [];
  const [first, ...others] = types;
  if (first === undefined || first.some((type) => others.every((other) => admits(other, type)))) return undefined;
  const [place] = places;
  return {
    code: "arguments_invalid",
    message: `the places of \`{{PLACEHOLDER_${name}}}\` take values of different types: write a placeholder for each`,
    step: place?.step,
    path: place?.path,
  };
}

/** A list of names, or none where the schema says nothing of types. */
function typesOf(schema: unknown): readonly (readonly unknown[])[] {
  const type = isObject(schema) ? ownOf(schema, "type") : undefined;
  return type === undefined ? [] : [[type].flat().flatMap((one) => (one === "number" ? ["number", "integer"] : [one]))];
}

const admits = (types: readonly unknown[], type: unknown): boolean => types.includes(type);
