/** The arguments that a managed tool declares, as its `parameters` or the gateway's own tools have them. Pure. */
import { appliedSchemas, type JsonSchema, NO_MEMBERS, SAME_VALUE } from "../../../lib/json/json-schema.ts";
import { memberOf } from "../../../lib/json/json-value.ts";
import { systemOf, withoutMembers } from "../../arguments/system-arguments.ts";
import type { ToolSettings } from "../document-parts.ts";
import { builtinNames } from "../run-parts.ts";

/** The arguments of Toolgate's own tools. A test compares them with their schemas. */
export const builtinArguments: Readonly<
  Record<(typeof builtinNames)[number], { readonly required: readonly string[]; readonly optional: readonly string[] }>
> = {
  search_bibliography: { required: ["query"], optional: ["limit"] },
  search_notes: { required: [], optional: ["query", "note_id", "limit"] },
  create_note: { required: ["title", "content"], optional: ["tags"] },
  edit_note: {
    required: ["note_id"],
    optional: ["old_text", "new_text", "title", "content", "tags", "restore_version", "if_version"],
  },
  delete_note: { required: ["note_id"], optional: ["title"] },
  restore_note: { required: ["note_id"], optional: ["title"] },
  gnorm_annotate: { required: ["text"], optional: ["entity_types"] },
};

/** The schema of a managed tool as the model gets it; undefined if only an MCP server knows it. */
export function parametersOf(name: string, settings: ToolSettings): JsonSchema | undefined {
  const { run, parameters } = settings;
  if (parameters) return withoutMembers(parameters, Object.keys(systemOf(settings)));
  if (run?.kind === "mcp") return undefined;
  const builtin = run?.kind === "builtin" ? builtinNames.find((one) => one === (run.tool ?? name)) : undefined;
  if (builtin === undefined) return NO_MEMBERS;
  const { required, optional } = builtinArguments[builtin];
  const properties = Object.fromEntries([...required, ...optional].map((one) => [one, true]));
  return { type: "object", properties, required, additionalProperties: false };
}

const schemasOf = (root: JsonSchema, schema: unknown): readonly JsonSchema[] =>
  [...appliedSchemas(root, schema, [...SAME_VALUE, "$ref"])].map((applied) => applied.schema);

/** Names of the arguments. */
export const declaredNames = (schema: JsonSchema): readonly string[] => [
  ...new Set(schemasOf(schema, schema).flatMap((part) => Object.keys(memberOf(part, "properties") ?? {}))),
];

/** Whether a call may hold a value at the path, as far as the schema says. The argument itself must be declared by name. */
export function declares(schema: JsonSchema, [first = "", ...steps]: readonly string[]): boolean {
  let found = membersOf(schemasOf(schema, schema), first);
  for (const step of steps) {
    if (found.length === 0) return false;
    const parts = found.flatMap((one) => schemasOf(schema, one));
    if (!parts.some(namesMembers) && parts.some(mayHaveMembers)) return true;
    found = membersOf(parts, step);
  }
  return found.length > 0;
}

function membersOf(parts: readonly JsonSchema[], name: string): readonly unknown[] {
  return parts.flatMap((part) => {
    const own = memberOf(part.properties, name);
    const named = own === undefined ? Object.values(part.patternProperties ?? {}) : [own];
    const item = /^\d+$/.test(name) && part.items !== undefined ? [part.items] : [];
    return [...named, ...item].filter((one) => one !== false);
  });
}

const namesMembers = (part: JsonSchema): boolean =>
  part.additionalProperties === false ||
  ["properties", "patternProperties", "items", "prefixItems"].some((keyword) => part[keyword] !== undefined);

/** A schema without a type that consists of others leaves the answer to these. */
function mayHaveMembers(part: JsonSchema): boolean {
  if (part.type === undefined)
    return !["allOf", "anyOf", "oneOf", "$ref"].some((keyword) => part[keyword] !== undefined);
  return [part.type].flat().some((type) => type === "object" || type === "array");
}

/** Every name that some schema of the arguments requires below the top, with the path to the keyword. */
export function* requiredBelow(parameters: JsonSchema): Generator<{ readonly name: string; readonly path: string }> {
  for (const { schema, path } of appliedSchemas(parameters, parameters, SAME_VALUE)) {
    const lists: [string[], unknown][] = path.length === 0 ? [] : [[["required"], memberOf(schema, "required")]];
    for (const [name, list] of Object.entries(memberOf(schema, "dependentRequired") ?? {}))
      lists.push([["dependentRequired", name], list]);
    for (const [keys, list] of lists)
      for (const name of Array.isArray(list) ? list : [])
        yield { name: String(name), path: [...path, ...keys].join("/") };
  }
}
