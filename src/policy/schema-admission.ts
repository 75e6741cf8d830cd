/**
 * Which JSON Schemas are accepted, and in what form the validator gets them. Pure. What is admitted the validator compiles:
 * it costs ten times as much, and only the tools that are called need it.
 *
 * A client's schema is input like any other. What is admitted is a copy that holds only keywords known here: the
 * validator has extensions of its own (`errorMessages`, `regexFlags`, `oneOfProperty`) that a schema could steer it by.
 * Maps of names have no prototype, so that a property called `constructor` is not found where none was defined.
 */
import { err, ok, type Result } from "../lib/result.ts";
import { pointer } from "./policy-issue.ts";
import { isListOfStrings, valueFault } from "./schema-values.ts";

export type AdmittedSchema = Readonly<Record<string, unknown>> | boolean;
type Kind = "schema" | "schemas" | "map" | "data";

const maxDepth = 64;
const maxNodes = 5_000;
const maxFaults = 20;

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

export interface SchemaFault {
  /** JSON pointer into the schema, "" for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface Admitted {
  readonly schema: AdmittedSchema;
  readonly draft: "draft-07" | "draft-2020-12";
}

/** @returns the copy and its draft (by `$schema`, else 2020-12), or all reasons why no call can be checked against this schema. */
export function admitSchema(input: unknown): Result<Admitted, readonly SchemaFault[]> {
  const declared = isObject(input) && typeof input.$schema === "string" ? input.$schema : "";
  const draft = /draft-?0?[4-7]/.test(declared) ? "draft-07" : "draft-2020-12";
  const walk: Walk = { draft, nodes: 0, refs: [], faults: [] };
  const schema = copySchema(input, walk, { path: "", depth: 0 });
  for (const { path, ref } of walk.refs) {
    if (resolveRef(schema, ref) !== undefined) continue;
    const how = ref.startsWith("#") ? "leads nowhere" : "is not in the schema itself, and none is fetched";
    refuse(walk, path, `the $ref \`${ref.slice(0, 100)}\` ${how}`);
  }
  return walk.faults.length > 0 ? err(walk.faults) : ok({ schema, draft });
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
  readonly refs: { readonly path: string; readonly ref: string }[];
  /** Each refuses the whole schema. */
  readonly faults: SchemaFault[];
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

const inside = ({ path, depth }: Place, ...keys: readonly (string | number)[]): Place => ({
  path: `${path}${pointer(keys)}`,
  depth: depth + 1,
});

/** In place of the part that is at fault stands a schema that nothing satisfies. */
function refuse(walk: Walk, path: string, message: string): false {
  if (walk.faults.length < maxFaults) walk.faults.push({ path, message });
  return false;
}

function copySchema(input: unknown, walk: Walk, place: Place): AdmittedSchema {
  if (typeof input === "boolean") return input;
  const { path, depth } = place;
  if (!isObject(input)) return refuse(walk, path, "a schema must be an object or a boolean");
  walk.nodes += 1;
  if (depth > maxDepth) return refuse(walk, path, `is nested more than ${maxDepth} deep`);
  // One fault is enough: all parts that follow are too many.
  if (walk.nodes === maxNodes + 1) return refuse(walk, "", `has more than ${maxNodes} parts`);
  if (walk.nodes > maxNodes) return false;
  const copy: Record<string, unknown> = {};
  // Draft 7 passes over what stands beside a `$ref`.
  const isReference = walk.draft === "draft-07" && input.$ref !== undefined;
  for (const [keyword, value] of Object.entries(input)) {
    const at = inside(place, keyword).path;
    // Inside a schema, `$id` would give `#/…` another root.
    if (unsupported.has(keyword)) refuse(walk, at, `\`${keyword}\` is not supported`);
    if (keyword === "$id" && depth > 0) refuse(walk, at, "a `$id` inside of a schema is not supported");
    const kind = kinds.get(keyword);
    if (kind === undefined || (isReference && kind === "data" && keyword !== "$ref")) continue;
    copy[keyword] = copyKeyword(keyword, kind, value, walk, place);
  }
  // The validator reads `properties` wherever there are `patternProperties`; its own default has a prototype.
  if (copy.patternProperties !== undefined && copy.properties === undefined) copy.properties = Object.create(null);
  return modernise(copy, walk.draft);
}

function copyKeyword(keyword: string, kind: Kind, value: unknown, walk: Walk, place: Place): unknown {
  const here = inside(place, keyword);
  if (keyword === "$ref") {
    if (typeof value !== "string") return refuse(walk, here.path, "`$ref` must be a string");
    walk.refs.push({ path: here.path, ref: value });
    return value;
  }
  if (kind === "data") {
    const fault = valueFault(keyword, value);
    return fault === undefined ? value : refuse(walk, here.path, fault);
  }
  if (kind === "schemas" || (keyword === "items" && Array.isArray(value))) {
    if (!Array.isArray(value)) return refuse(walk, here.path, `\`${keyword}\` must be a list`);
    return value.map((part, index) => copySchema(part, walk, inside(place, keyword, index)));
  }
  if (kind === "schema") return copySchema(value, walk, here);
  if (!isObject(value)) return refuse(walk, here.path, `\`${keyword}\` must be an object`);
  const map: Record<string, unknown> = Object.create(null);
  for (const [name, part] of Object.entries(value)) {
    const within = inside(place, keyword, name);
    const fault = keyword === "patternProperties" ? valueFault("pattern", name) : undefined;
    if (fault !== undefined) refuse(walk, within.path, fault);
    // `dependencies` (draft 7) holds lists of names as well.
    if (keyword !== "dependencies" || !Array.isArray(part)) map[name] = copySchema(part, walk, within);
    else map[name] = isListOfStrings(part) ? part : refuse(walk, within.path, "must be a schema or a list of strings");
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
