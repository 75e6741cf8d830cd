/**
 * Which JSON Schemas are accepted, and in what form the validator gets them. Pure.
 *
 * A client's schema is input like any other. What is admitted is a copy that holds only keywords known here: the
 * validator has extensions of its own (`errorMessages`, `regexFlags`, `oneOfProperty`) that a schema could steer it by.
 * Maps of names have no prototype, so that a property called `constructor` is not found where none was defined.
 */
import { err, ok, type Result } from "../lib/result.ts";

export type AdmittedSchema = Readonly<Record<string, unknown>> | boolean;
type Kind = "schema" | "schemas" | "map" | "data";

const maxDepth = 64;
const maxNodes = 5_000;

const kinds = new Map<string, Kind>();
const declare = (kind: Kind, names: string) => {
  for (const name of names.split(" ")) kinds.set(name, kind);
};
declare("schema", "additionalItems additionalProperties contains else if items not propertyNames then");
declare("schema", "unevaluatedItems unevaluatedProperties");
declare("schemas", "allOf anyOf oneOf prefixItems");
declare("map", "$defs definitions dependencies dependentSchemas patternProperties properties");
declare("data", "$ref const dependentRequired enum exclusiveMaximum exclusiveMinimum format maxContains maxItems");
declare("data", "maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf");
declare("data", "pattern required type uniqueItems");

/** Keywords that would change what another means: without them the schema says something else, so it is refused. */
const unsupported = new Set(["$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"]);

export interface Admitted {
  readonly schema: AdmittedSchema;
  readonly draft: "draft-07" | "draft-2020-12";
}

/** @returns the copy and its draft (by `$schema`, else 2020-12), or why no call can be checked against this schema. */
export function admitSchema(input: unknown): Result<Admitted, string> {
  const declared = isObject(input) && typeof input.$schema === "string" ? input.$schema : "";
  const draft = /draft-?0?[4-7]/.test(declared) ? "draft-07" : "draft-2020-12";
  const walk: Walk = { draft, nodes: 0, refs: [] };
  const schema = copySchema(input, walk, 0);
  if (walk.fault !== undefined) return err(walk.fault);
  const dangling = walk.refs.find((ref) => resolveRef(schema, ref) === undefined);
  if (dangling === undefined) return ok({ schema, draft });
  const how = dangling.startsWith("#") ? "leads nowhere" : "is not in the schema itself, and none is fetched";
  return err(`the schema's $ref \`${dangling.slice(0, 100)}\` ${how}`);
}

/** The schema that a local `$ref` names, by own properties only. */
export function resolveRef(root: AdmittedSchema, ref: string): AdmittedSchema | undefined {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const token of decode(ref.slice(1)).split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === "boolean" || isObject(at) ? at : undefined;
}

interface Walk {
  readonly draft: Admitted["draft"];
  nodes: number;
  readonly refs: string[];
  /** The first reason to refuse the whole schema. */
  fault?: string;
}

/** In place of the part that is at fault stands a schema that nothing satisfies. */
function refuse(walk: Walk, fault: string): false {
  walk.fault ??= fault;
  return false;
}

function copySchema(input: unknown, walk: Walk, depth: number): AdmittedSchema {
  if (typeof input === "boolean") return input;
  if (!isObject(input)) return refuse(walk, "the schema is not valid: a schema must be an object or a boolean");
  walk.nodes += 1;
  if (depth > maxDepth) return refuse(walk, `the schema is nested more than ${maxDepth} deep`);
  if (walk.nodes > maxNodes) return refuse(walk, `the schema has more than ${maxNodes} parts`);
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(input)) {
    if (unsupported.has(keyword)) return refuse(walk, `the schema uses \`${keyword}\`, which is not supported`);
    // Inside a schema, `$id` would give `#/…` another root.
    if (keyword === "$id" && depth > 0) return refuse(walk, "the schema has a `$id` inside, which is not supported");
    const kind = kinds.get(keyword);
    if (kind !== undefined) copy[keyword] = copyKeyword(keyword, kind, value, walk, depth);
  }
  // The validator reads `properties` wherever there are `patternProperties`; its own default has a prototype.
  if (copy.patternProperties !== undefined && copy.properties === undefined) copy.properties = Object.create(null);
  return modernise(copy, walk.draft);
}

function copyKeyword(keyword: string, kind: Kind, value: unknown, walk: Walk, depth: number): unknown {
  if (keyword === "$ref") {
    if (typeof value !== "string") return refuse(walk, "the schema is not valid: `$ref` must be a string");
    walk.refs.push(value);
    return value;
  }
  if (kind === "data") return value;
  if (kind === "schemas" || (keyword === "items" && Array.isArray(value))) {
    if (!Array.isArray(value)) return refuse(walk, `the schema is not valid: \`${keyword}\` must be a list`);
    return value.map((part) => copySchema(part, walk, depth + 1));
  }
  if (kind === "schema") return copySchema(value, walk, depth + 1);
  if (!isObject(value)) return refuse(walk, `the schema is not valid: \`${keyword}\` must be an object`);
  const map: Record<string, unknown> = Object.create(null);
  for (const [name, part] of Object.entries(value)) {
    // `dependencies` (draft 7) holds lists of names as well.
    map[name] = keyword === "dependencies" && Array.isArray(part) ? part : copySchema(part, walk, depth + 1);
  }
  return map;
}

/** Older drafts' spellings that schemas without `$schema` use: tuples as `items: [...]`, boolean exclusive bounds. */
function modernise(schema: Record<string, unknown>, draft: Admitted["draft"]): Record<string, unknown> {
  const modern = { ...schema };
  if (draft === "draft-2020-12" && Array.isArray(modern.items)) {
    modern.prefixItems = modern.items;
    modern.items = modern.additionalItems ?? true;
  }
  if (draft === "draft-2020-12") delete modern.additionalItems;
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof modern[exclusive] !== "boolean") continue;
    if (modern[exclusive]) modern[exclusive] = modern[bound];
    else delete modern[exclusive];
  }
  return modern;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
