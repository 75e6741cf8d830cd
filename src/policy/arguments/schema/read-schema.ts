/**
 * Reads a JSON Schema (draft 2020-12 or 7), whole and local. Pure.
 *
 * A client's schema is input like any other: its size and depth are bounded, nothing is fetched, and one that could not be
 * checked is refused. A keyword that is not known here demands nothing; one that would change what others mean is refused.
 */

import { decoded, SCHEMA_KEYWORDS } from "../../../lib/json/json-schema.ts";
import { isObject, toPointer } from "../../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { arrayKeywords, unevaluatedItems } from "./array-keywords.ts";
import { combiningKeywords } from "./combining-keywords.ts";
import { keywordFault } from "./keyword-fault.ts";
import { objectKeywords, unevaluatedProperties } from "./object-keywords.ts";
import type { ReadKeyword, SchemaFault, SchemaReader } from "./read-keyword.ts";
import { fail, type JsonObject, type Keyword, type SchemaNode } from "./schema-node.ts";
import { valueKeywords } from "./value-keywords.ts";

const MAX_DEPTH = 64;
const MAX_NODES = 5_000;
/** The rest of the schema is not read. */
const MAX_FAULTS = 20;
/** The approximate memory of a node with its keywords. */
const NODE_BYTES = 1_000;

const readers = new Map([...valueKeywords, ...arrayKeywords, ...objectKeywords, ...combiningKeywords]);
const unevaluatedReaders = new Map([unevaluatedItems, unevaluatedProperties]);
/** A schema read without these would mean something else. */
const refused = new Set(["$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"]);

const TRUE: SchemaNode = { keywords: [], unevaluated: [] };
const FALSE: SchemaNode = { keywords: [(visit) => fail(visit, "must not be given")], unevaluated: [], isFalse: true };

interface ReadSchema {
  readonly node: SchemaNode;
  /** Approximate memory. */
  readonly bytes: number;
}

/** @returns the schema, or all reasons why no call can be checked against it. Throws `WorkSpent`. */
export function readSchema(input: unknown, work: WorkBudget): Result<ReadSchema, readonly SchemaFault[]> {
  const walk: Walk = {
    isOldDraft: isOldDraft(input),
    work,
    nodes: new Map(),
    links: [],
    faults: [],
    isFull: false,
    bytes: 0,
  };
  const node = readNode(input, walk, "", 0);
  for (const link of walk.links) link.node = targetOf(link, walk);
  return walk.faults.length > 0 ? err(walk.faults) : ok({ node, bytes: walk.bytes });
}

interface Link {
  readonly path: string;
  readonly ref: string;
  node: SchemaNode;
}

interface Walk {
  /** Draft 7 or older: there the other keywords beside a `$ref` do not count. */
  readonly isOldDraft: boolean;
  readonly work: WorkBudget;
  /** By JSON pointer, by which a `$ref` names them. */
  readonly nodes: Map<string, SchemaNode>;
  readonly links: Link[];
  readonly faults: SchemaFault[];
  /** The schema has as many parts as are allowed. */
  isFull: boolean;
  bytes: number;
}

const isOldDraft = (input: unknown): boolean =>
  isObject(input) && typeof input.$schema === "string" && /draft-?0?[4-7]/.test(input.$schema);

function readNode(input: unknown, walk: Walk, at: string, depth: number): SchemaNode {
  const node = typeof input === "boolean" ? (input ? TRUE : FALSE) : readObject(input, walk, at, depth);
  walk.nodes.set(at, node);
  return node;
}

/** A schema that nothing satisfies replaces the faulty part. */
function refuse(walk: Walk, path: string, message: string): SchemaNode {
  if (walk.faults.length < MAX_FAULTS) walk.faults.push({ path, message });
  return FALSE;
}

function readObject(given: unknown, walk: Walk, at: string, depth: number): SchemaNode {
  if (walk.isFull || walk.faults.length >= MAX_FAULTS) return FALSE;
  if (!isObject(given)) return refuse(walk, at, "a schema must be an object or a boolean");
  if (depth > MAX_DEPTH) return refuse(walk, at, `is nested more than ${MAX_DEPTH} deep`);
  walk.isFull = walk.nodes.size >= MAX_NODES;
  if (walk.isFull) return refuse(walk, "", `has more than ${MAX_NODES} parts`);
  const names = Object.keys(given);
  walk.work.spend(10 + 5 * names.length);
  walk.bytes += NODE_BYTES;
  const input = withoutFaults(given, names, walk, at, depth);
  const reader: SchemaReader = {
    work: walk.work,
    child: (part, ...keys) => readNode(part, walk, at + toPointer(keys), depth + 1),
    target: (ref) => linkTo(ref, walk, `${at}/$ref`),
    refuse(message, ...keys) {
      refuse(walk, at + toPointer(keys), message);
    },
    holdsBytes: (bytes) => {
      walk.bytes += bytes;
    },
  };
  const left = Object.keys(input);
  const keywords = readAll(readers, input, left, reader);
  const unevaluated = readAll(unevaluatedReaders, input, left, reader);
  const ref = walk.isOldDraft ? readers.get("$ref")?.(input, reader) : undefined;
  return ref ? { keywords: [ref], unevaluated: [] } : { keywords, unevaluated };
}

/** Without the keywords whose values are wrong: their readers need not check again. */
function withoutFaults(input: JsonObject, names: readonly string[], walk: Walk, at: string, depth: number): JsonObject {
  const isReference = walk.isOldDraft && input.$ref !== undefined;
  const left = names.filter((name) => {
    if (isReference && name !== "$ref" && !SCHEMA_KEYWORDS.has(name)) return false;
    const fault = unsupportedFault(name, depth) ?? keywordFault(name, input[name]);
    if (fault !== undefined) refuse(walk, at + toPointer([name]), fault);
    return fault === undefined;
  });
  return left.length === names.length ? input : Object.fromEntries(left.map((name) => [name, input[name]]));
}

function unsupportedFault(name: string, depth: number): string | undefined {
  if (refused.has(name)) return `\`${name}\` is not supported`;
  // It would change the root of `#/…`.
  return name === "$id" && depth > 0 ? "a `$id` inside of a schema is not supported" : undefined;
}

function readAll(
  known: ReadonlyMap<string, ReadKeyword>,
  input: JsonObject,
  names: readonly string[],
  reader: SchemaReader,
): Keyword[] {
  const wanted = new Set(names.flatMap((name) => known.get(name) ?? []));
  return [...wanted].flatMap((read) => read(input, reader) ?? []);
}

function linkTo(ref: string, walk: Walk, path: string): () => SchemaNode {
  const link: Link = { path, ref, node: FALSE };
  walk.links.push(link);
  return () => link.node;
}

function targetOf({ path, ref }: Link, walk: Walk): SchemaNode {
  const node = ref.startsWith("#") ? walk.nodes.get(decoded(ref.slice(1))) : undefined;
  if (node) return node;
  const how = ref.startsWith("#") ? "leads nowhere" : "is not in the schema itself, and none is fetched";
  return refuse(walk, path, `the $ref \`${ref.slice(0, 100)}\` ${how}`);
}
