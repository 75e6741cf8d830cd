/** Reads the values of keywords: schemas, numbers, names. Pure. */
import { isObject, memberOf } from "../../../lib/json/json-value.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { isListOfNames } from "./keyword-fault.ts";
import type { JsonObject, Keyword, SchemaNode, Visit } from "./schema-node.ts";

/** Why a schema is refused. */
export interface SchemaFault {
  /** JSON pointer into the schema, "" for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface SchemaReader {
  readonly work: WorkBudget;
  /** Reads the schema under these keys of the current one. */
  child(part: unknown, ...keys: readonly (string | number)[]): SchemaNode;
  /** The schema that a `$ref` names. Call the result only once the whole schema is read. */
  target(ref: string): () => SchemaNode;
  /** Notes a fault under these keys: it refuses the whole schema. */
  refuse(message: string, ...keys: readonly string[]): undefined;
  /** Counts the memory of a keyword. */
  holdsBytes(bytes: number): void;
}

/**
 * Reads a keyword of a schema without faults (`keyword-fault.ts`), except in the schemas and patterns that it holds.
 * @returns undefined if the keyword demands nothing. Throws `WorkSpent`.
 */
export type ReadKeyword = (schema: JsonObject, reader: SchemaReader) => Keyword | undefined;
export type KeywordReaders = readonly (readonly [name: string, read: ReadKeyword])[];

export function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = memberOf(schema, name);
  return typeof value === "number" ? value : undefined;
}

export function textOf(schema: JsonObject, name: string): string | undefined {
  const value = memberOf(schema, name);
  return typeof value === "string" ? value : undefined;
}

export const namesIn = (value: unknown): readonly string[] =>
  isListOfNames(value) ? value.filter((name) => name !== null) : [];

export function entriesOf(schema: JsonObject, name: string): readonly (readonly [string, unknown])[] | undefined {
  const value = memberOf(schema, name);
  return isObject(value) ? Object.entries(value) : undefined;
}

export function childrenOf(schema: JsonObject, name: string, reader: SchemaReader): readonly SchemaNode[] | undefined {
  const value = memberOf(schema, name);
  return Array.isArray(value) ? value.map((part, index) => reader.child(part, name, index)) : undefined;
}

export const childOf = (schema: JsonObject, name: string, reader: SchemaReader): SchemaNode | undefined =>
  Object.hasOwn(schema, name) ? reader.child(schema[name], name) : undefined;

/** A keyword that holds one schema. */
export const ofSchema = (name: string, check: (node: SchemaNode, visit: Visit) => boolean): KeywordReaders[number] => [
  name,
  (schema, reader) => {
    const node = childOf(schema, name, reader);
    return node && ((visit) => check(node, visit));
  },
];

/** A keyword that holds a list of schemas; an empty one demands nothing. */
export const ofSchemas = (
  name: string,
  check: (nodes: readonly SchemaNode[], visit: Visit) => boolean,
): KeywordReaders[number] => [
  name,
  (schema, reader) => {
    const nodes = childrenOf(schema, name, reader) ?? [];
    return nodes.length === 0 ? undefined : (visit) => check(nodes, visit);
  },
];
