/** Which members of a call's arguments a policy knows of: what the tool's `parameters` declare. Pure. */

import { isObject, pointerKeys } from "../../../lib/json/json-value.ts";
import { systemOf, withoutMembers } from "../../arguments/system-arguments.ts";
import type { ToolSettings } from "../document-parts.ts";
import { builtinNames } from "../run-parts.ts";
import { builtinArguments } from "./builtin-arguments.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Of a managed tool, as the model is shown it; undefined where only an MCP server knows. */
export function parametersOf(name: string, settings: ToolSettings): Schema | undefined {
  const { run, parameters } = settings;
  if (parameters) return withoutMembers(parameters, Object.keys(systemOf(settings)));
  if (run?.kind === "mcp") return undefined;
  const builtin = run?.kind === "builtin" ? builtinNames.find((one) => one === (run.tool ?? name)) : undefined;
  if (builtin === undefined) return { type: "object", properties: {}, additionalProperties: false };
  const { required, optional } = builtinArguments[builtin];
  const properties = Object.fromEntries([...required, ...optional].map((one) => [one, true]));
  return { type: "object", properties, required, additionalProperties: false };
}

/** Whether a call may hold what stands there, as far as can be told. The member at the top must be declared by its name. */
export function declares(schema: Schema, [first = "", ...steps]: readonly string[]): boolean {
  let at = membersOf(partsOf(schema, schema), first);
  for (const step of steps) {
    if (at.length === 0) return false;
    const parts = at.flatMap((one) => partsOf(one, schema));
    const found = membersOf(parts, step);
    if (!parts.some(tells) && parts.some(mayHold)) return true;
    at = found;
  }
  return at.length > 0;
}

/** Names at the top. */
export const declaredNames = (schema: Schema): readonly string[] => [
  ...new Set(
    partsOf(schema, schema).flatMap((part) => (isObject(part.properties) ? Object.keys(part.properties) : [])),
  ),
];

const MAX_PARTS = 200;

/** The schema, and those that hold for the same value. */
function partsOf(schema: unknown, root: Schema): readonly Schema[] {
  const parts: Schema[] = [];
  const queue: unknown[] = [schema];
  for (let one = queue.shift(); one !== undefined && parts.length < MAX_PARTS; one = queue.shift()) {
    if (one === true) parts.push({});
    if (!isObject(one) || parts.includes(one)) continue;
    parts.push(one);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) if (Array.isArray(one[keyword])) queue.push(...one[keyword]);
    queue.push(...["then", "else"].flatMap((keyword) => one[keyword] ?? []));
    if (isObject(one.dependentSchemas)) queue.push(...Object.values(one.dependentSchemas));
    if (typeof one.$ref === "string") queue.push(referred(root, one.$ref));
  }
  return parts;
}

/** What a reference within the schema means; of another `true`: nobody knows. */
function referred(root: Schema, reference: string): unknown {
  if (!reference.startsWith("#")) return true;
  let at: unknown = root;
  for (const name of pointerKeys(reference.slice(1))) {
    if (!(isObject(at) || Array.isArray(at)) || !Object.hasOwn(at, name)) return true;
    at = (at as Schema)[name];
  }
  return at;
}

function membersOf(parts: readonly Schema[], name: string): readonly unknown[] {
  return parts.flatMap((part) => {
    const found: unknown[] = [];
    const { properties, patternProperties, items } = part;
    if (isObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name]);
    else if (isObject(patternProperties)) found.push(...Object.values(patternProperties));
    if (/^\d+$/.test(name) && items !== undefined) found.push(items);
    return found.filter((one) => one !== false);
  });
}

const TELLING = ["properties", "patternProperties", "items", "prefixItems"];
const COMBINING = ["allOf", "anyOf", "oneOf", "$ref"];
const HOLDING = ["object", "array"];

/** Whether it says which members there are. */
const tells = (part: Schema): boolean =>
  part.additionalProperties === false || TELLING.some((keyword) => part[keyword] !== undefined);

/** Whether there may be some; of one that is made of others these tell. */
function mayHold(part: Schema): boolean {
  if (part.type === undefined) return !COMBINING.some((keyword) => part[keyword] !== undefined);
  return [part.type].flat().some((type) => HOLDING.includes(String(type)));
}
