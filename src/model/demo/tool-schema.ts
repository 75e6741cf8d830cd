/** JSON Schemas as the demo model reads them: what a simple tool definition holds. Pure. */

/** A tool as the demo model is offered it. */
export interface DemoTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly schema: unknown;
}

export interface SchemaNode {
  readonly type: string;
  readonly description: string;
  readonly format: string;
  readonly enum: readonly unknown[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: readonly string[];
  readonly items?: SchemaNode;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly minItems: number;
  readonly pattern?: string;
}

/** Deep enough for any tool, and an end to schemas that refer to themselves. */
const MAX_DEPTH = 8;

/** Reads any schema; of alternatives the first that is not null, `#/…` references followed. */
export function readSchema(schema: unknown, root: unknown = schema, depth = 0): SchemaNode {
  const node = resolve(schema, root, depth);
  const properties = Object.entries(depth < MAX_DEPTH ? object(node.properties) : {});
  const read = new Map(properties.map(([name, sub]) => [name, readSchema(sub, root, depth + 1)]));
  const type = [node.type].flat().find((name) => typeof name === "string" && name !== "null");
  return {
    type: typeof type === "string" ? type : guessType(node),
    description: text(node.description),
    format: text(node.format),
    enum: enumOf(node),
    properties: read,
    required: Array.isArray(node.required) ? node.required.filter((name) => read.has(name)) : [],
    ...(node.items !== undefined && depth < MAX_DEPTH ? { items: readSchema(node.items, root, depth + 1) } : {}),
    ...(node.default === undefined ? {} : { default: node.default }),
    minimum: number(node.minimum) ?? above(node.exclusiveMinimum),
    maximum: number(node.maximum) ?? below(node.exclusiveMaximum),
    minLength: number(node.minLength) ?? 0,
    maxLength: number(node.maxLength) ?? Number.POSITIVE_INFINITY,
    minItems: number(node.minItems) ?? 0,
    ...(typeof node.pattern === "string" ? { pattern: node.pattern } : {}),
  };
}

function resolve(schema: unknown, root: unknown, depth: number): Record<string, unknown> {
  const node = object(schema);
  if (depth >= MAX_DEPTH) return node;
  if (typeof node.$ref === "string" && node.$ref.startsWith("#/")) {
    const target = node.$ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, key) => object(at)[key], root);
    return resolve(target, root, depth + 1);
  }
  const alternatives = [node.anyOf, node.oneOf, node.allOf].find(Array.isArray);
  if (!alternatives || constsOf(node)) return node;
  const first = alternatives.find((option) => object(option).type !== "null");
  return { ...resolve(first, root, depth + 1), ...node };
}

function guessType(node: Record<string, unknown>): string {
  if (node.properties !== undefined) return "object";
  if (node.items !== undefined) return "array";
  const value = enumOf(node)[0];
  return typeof value === "number" || typeof value === "boolean" ? typeof value : "string";
}

function enumOf(node: Record<string, unknown>): readonly unknown[] {
  if (Array.isArray(node.enum)) return node.enum;
  return node.const === undefined ? (constsOf(node) ?? []) : [node.const];
}

/** `oneOf: [{ const, description }]`: an enum in which each value is described. */
function constsOf(node: Record<string, unknown>): readonly unknown[] | undefined {
  const options = [node.anyOf, node.oneOf].find(Array.isArray)?.map(object);
  return options?.every((option) => option.const !== undefined) ? options.map((option) => option.const) : undefined;
}

/** An object to read from, whatever it was. */
export function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : undefined);
const above = (bound: unknown) => (typeof bound === "number" ? bound + 1 : undefined);
const below = (bound: unknown) => (typeof bound === "number" ? bound - 1 : undefined);
