/** What the reader of a keyword works with, and the shapes that keywords' values have. Pure. */
import type { WorkBudget } from "../../lib/work-budget.ts";
import { isObject, type JsonObject, type Keyword, type SchemaNode } from "./schema-node.ts";

export type Draft = "draft-07" | "draft-2020-12";

/** Why a schema is refused, worded for the model. */
export class SchemaFault extends Error {}

export interface SchemaReader {
  readonly draft: Draft;
  readonly work: WorkBudget;
  /** Reads the schema that stands under these keys of the one that is being read. */
  child(part: unknown, ...keys: readonly (string | number)[]): SchemaNode;
  /** What a `$ref` names; to be called once the whole is read. */
  target(ref: string): () => SchemaNode;
  /** Counts what a keyword keeps in memory. */
  holdsBytes(bytes: number): void;
}

/** @returns undefined where the keyword demands nothing. Throws `SchemaFault` and `WorkSpent`. */
export type ReadKeyword = (schema: JsonObject, reader: SchemaReader) => Keyword | undefined;

const invalid = (name: string, shape: string): never => {
  throw new SchemaFault(`the schema is not valid: \`${name}\` must be ${shape}`);
};

/** Generators of schemas write `null` for what is not set. */
const givenOf = (schema: JsonObject, name: string): unknown =>
  Object.hasOwn(schema, name) ? (schema[name] ?? undefined) : undefined;

export function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = givenOf(schema, name);
  return value === undefined || typeof value === "number" ? value : invalid(name, "a number");
}

export function textOf(schema: JsonObject, name: string): string | undefined {
  const value = givenOf(schema, name);
  return value === undefined || typeof value === "string" ? value : invalid(name, "a string");
}

export function namesOf(schema: JsonObject, name: string): readonly string[] | undefined {
  const value = givenOf(schema, name);
  return value === undefined || isNames(value) ? value : invalid(name, "a list of strings");
}

export const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string");

export function listOf(schema: JsonObject, name: string): readonly unknown[] | undefined {
  if (!Object.hasOwn(schema, name)) return undefined;
  const value = schema[name];
  return Array.isArray(value) ? value : invalid(name, "a list");
}

export function mapOf(schema: JsonObject, name: string): readonly (readonly [string, unknown])[] | undefined {
  if (!Object.hasOwn(schema, name)) return undefined;
  const value = schema[name];
  return isObject(value) ? Object.entries(value) : invalid(name, "an object");
}

export function childrenOf(schema: JsonObject, name: string, reader: SchemaReader): readonly SchemaNode[] | undefined {
  return listOf(schema, name)?.map((part, index) => reader.child(part, name, index));
}

export function childOf(schema: JsonObject, name: string, reader: SchemaReader): SchemaNode | undefined {
  return Object.hasOwn(schema, name) ? reader.child(schema[name], name) : undefined;
}
