/** What the reader of a keyword works with, and the shapes that keywords' values have. Pure. */

import { isObject } from "../../../lib/json/json-value.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { isListOfStrings } from "./keyword-fault.ts";
import type { JsonObject, Keyword, SchemaNode } from "./schema-node.ts";

export type Draft = "draft-07" | "draft-2020-12";

/** Why a schema is refused. */
export interface SchemaFault {
  /** JSON pointer into the schema, "" for the whole. */
  readonly path: string;
  readonly message: string;
}

type Keys = readonly (string | number)[];

export interface SchemaReader {
  readonly draft: Draft;
  readonly work: WorkBudget;
  /** Reads the schema that stands under these keys of the one that is being read. */
  child(part: unknown, ...keys: Keys): SchemaNode;
  /** What a `$ref` names; to be called once the whole is read. */
  target(ref: string): () => SchemaNode;
  /** Notes a fault of what stands under these keys: it refuses the whole schema. */
  refuse(message: string, ...keys: Keys): undefined;
  /** Counts what a keyword keeps in memory. */
  holdsBytes(bytes: number): void;
}

/**
 * Of a schema whose keywords hold what they may hold (`keyword-fault.ts`), but for the schemas and patterns in them.
 * @returns undefined where the keyword demands nothing. Throws `WorkSpent`.
 */
export type ReadKeyword = (schema: JsonObject, reader: SchemaReader) => Keyword | undefined;

const own = (schema: JsonObject, name: string): unknown => (Object.hasOwn(schema, name) ? schema[name] : undefined);

export function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = own(schema, name);
  return typeof value === "number" ? value : undefined;
}

export function textOf(schema: JsonObject, name: string): string | undefined {
  const value = own(schema, name);
  return typeof value === "string" ? value : undefined;
}

export const namesOf = (schema: JsonObject, name: string): readonly string[] => namesIn(own(schema, name));

/** A list with something else in it is no list of names, but for what follows a null. */
export const namesIn = (value: unknown): readonly string[] =>
  isListOfStrings(value) ? value.filter((name) => typeof name === "string") : [];

export function listOf(schema: JsonObject, name: string): readonly unknown[] | undefined {
  const value = own(schema, name);
  return Array.isArray(value) ? value : undefined;
}

export function mapOf(schema: JsonObject, name: string): readonly (readonly [string, unknown])[] | undefined {
  const value = own(schema, name);
  return isObject(value) ? Object.entries(value) : undefined;
}

export function childrenOf(schema: JsonObject, name: string, reader: SchemaReader): readonly SchemaNode[] | undefined {
  return listOf(schema, name)?.map((part, index) => reader.child(part, name, index));
}

export function childOf(schema: JsonObject, name: string, reader: SchemaReader): SchemaNode | undefined {
  return Object.hasOwn(schema, name) ? reader.child(schema[name], name) : undefined;
}
