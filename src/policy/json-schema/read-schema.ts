/**
 * Reads a JSON Schema (draft 2020-12 or 7), whole and local. Pure.
 *
 * A client's schema is input like any other: its size and depth are bounded, nothing is fetched, and one that could not be
 * checked is refused. A keyword that is not known here demands nothing; one that would change what others mean is refused.
 */
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { pointer } from "../policy-issue.ts";
import { arrayKeywords, unevaluatedItems } from "./array-keywords.ts";
import { combiningKeywords } from "./combining-keywords.ts";
import { objectKeywords, unevaluatedProperties } from "./object-keywords.ts";
import { fail, isObject, type JsonObject, type Keyword, type SchemaNode } from "./schema-node.ts";
import { type Draft, type ReadKeyword, SchemaFault, type SchemaReader } from "./schema-reader.ts";
import { valueKeywords } from "./value-keywords.ts";

const MAX_DEPTH = 64;
const MAX_NODES = 5_000;
/** About what one node holds, its keywords among it. */
const NODE_BYTES = 1_000;

const readers = new Map([...valueKeywords, ...arrayKeywords, ...objectKeywords, ...combiningKeywords]);
const unevaluatedReaders = new Map([...unevaluatedItems, ...unevaluatedProperties]);
/** Without them the schema would say something else. */
const refused = new Set(["$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"]);

const TRUE: SchemaNode = { keywords: [], unevaluated: [] };
const FALSE: SchemaNode = { keywords: [(visit) => fail(visit, "must not be given")], unevaluated: [] };

export interface ReadSchema {
  readonly node: SchemaNode;
  /** About how many bytes it holds. */
  readonly bytes: number;
}

/** @returns the schema, or why no call can be checked against it, worded for the model. Throws `WorkSpent`. */
export function readSchema(input: unknown, work: WorkBudget): Result<ReadSchema, string> {
  const walk: Walk = { draft: draftOf(input), work, nodes: new Map(), links: [], bytes: 0 };
  try {
    const node = readNode(input, walk, "", 0);
    for (const link of walk.links) link.node = targetOf(link.ref, walk.nodes);
    return ok({ node, bytes: walk.bytes });
  } catch (error) {
    if (error instanceof WorkSpent) throw error;
    return err(error instanceof SchemaFault ? error.message : "the schema is not valid");
  }
}

interface Link {
  readonly ref: string;
  node: SchemaNode;
}

interface Walk {
  readonly draft: Draft;
  readonly work: WorkBudget;
  /** By JSON pointer, by which a `$ref` names them. */
  readonly nodes: Map<string, SchemaNode>;
  readonly links: Link[];
  bytes: number;
}

function draftOf(input: unknown): Draft {
  const declared = isObject(input) && typeof input.$schema === "string" ? input.$schema : "";
  return /draft-?0?[4-7]/.test(declared) ? "draft-07" : "draft-2020-12";
}

function readNode(input: unknown, walk: Walk, at: string, depth: number): SchemaNode {
  const node = typeof input === "boolean" ? (input ? TRUE : FALSE) : readObject(input, walk, at, depth);
  walk.nodes.set(at, node);
  return node;
}

function readObject(input: unknown, walk: Walk, at: string, depth: number): SchemaNode {
  if (!isObject(input)) throw new SchemaFault("the schema is not valid: a schema must be an object or a boolean");
  if (depth > MAX_DEPTH) throw new SchemaFault(`the schema is nested more than ${MAX_DEPTH} deep`);
  if (walk.nodes.size >= MAX_NODES) throw new SchemaFault(`the schema has more than ${MAX_NODES} parts`);
  const names = Object.keys(input);
  walk.work.spend(10 + 5 * names.length);
  walk.bytes += NODE_BYTES;
  refuseUnsupported(names, depth);
  const reader: SchemaReader = {
    draft: walk.draft,
    work: walk.work,
    child: (part, ...keys) => readNode(part, walk, at + pointer(keys), depth + 1),
    target: (ref) => linkTo(ref, walk),
    holdsBytes: (bytes) => {
      walk.bytes += bytes;
    },
  };
  const keywords = readAll(readers, input, names, reader);
  const unevaluated = readAll(unevaluatedReaders, input, names, reader);
  // In draft 7 nothing beside a `$ref` counts.
  const ref = walk.draft === "draft-07" ? readers.get("$ref")?.(input, reader) : undefined;
  return ref ? { keywords: [ref], unevaluated: [] } : { keywords, unevaluated };
}

function refuseUnsupported(names: readonly string[], depth: number): void {
  for (const name of names) {
    if (refused.has(name)) throw new SchemaFault(`the schema uses \`${name}\`, which is not supported`);
    // Inside a schema, `$id` would give `#/…` another root.
    if (name === "$id" && depth > 0) throw new SchemaFault("the schema has a `$id` inside, which is not supported");
  }
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

function linkTo(ref: string, walk: Walk): () => SchemaNode {
  const link: Link = { ref, node: FALSE };
  walk.links.push(link);
  return () => link.node;
}

function targetOf(ref: string, nodes: ReadonlyMap<string, SchemaNode>): SchemaNode {
  const node = ref.startsWith("#") ? nodes.get(decoded(ref.slice(1))) : undefined;
  if (node) return node;
  const how = ref.startsWith("#") ? "leads nowhere" : "is not in the schema itself, and none is fetched";
  throw new SchemaFault(`the schema's $ref \`${ref.slice(0, 100)}\` ${how}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
