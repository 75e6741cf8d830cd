/**
 * A JSON Schema made so lenient that it refuses arguments with open places only where nothing that comes into those places
 * could make them right. Pure.
 *
 * In an open place stands a `null` (or a boolean): of all keywords only `type`, `enum` and `const` look at one, so these admit
 * it. What a whole must not be (`not`), what depends on a value (`if`, `uniqueItems`) or on how many branches hold (`oneOf`)
 * cannot be known yet, and is judged when the step runs.
 */

import type { WorkBudget } from "../lib/work-budget.ts";

export interface Relaxing {
  /** What stands in the open places. */
  readonly admit: "null" | "boolean";
  /** Some strings are not known yet, only that they are strings: no string's text is judged. */
  readonly anyText: boolean;
}

type Node = Readonly<Record<string, unknown>>;

const ONE = new Set(
  "additionalItems additionalProperties contains items unevaluatedItems unevaluatedProperties".split(" "),
);
const LISTS = new Set(["allOf", "anyOf", "prefixItems"]);
const MAPS = new Set("$defs definitions dependencies dependentSchemas patternProperties properties".split(" "));
const DROPPED = new Set(["not", "if", "then", "else", "uniqueItems", "maxContains", "oneOf", "enum", "const", "type"]);
const OF_TEXT = new Set(["minLength", "maxLength", "pattern", "format"]);
/** With a condition gone, what it would have looked at counts for nothing: these would refuse it. */
const AFTER_CONDITIONS = new Set(["unevaluatedItems", "unevaluatedProperties"]);

/** By the schema and how it is relaxed: a plan has many steps of the same tool. */
const relaxed = new WeakMap<object, Map<string, unknown>>();

/** @param schema one that could be compiled, which bounds it. Throws `WorkSpent`. */
export function relaxedSchema(schema: unknown, relaxing: Relaxing, work: WorkBudget): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const known = relaxed.get(schema) ?? new Map<string, unknown>();
  relaxed.set(schema, known);
  const key = `${relaxing.admit} ${relaxing.anyText}`;
  if (!known.has(key)) {
    const text = JSON.stringify(schema);
    work.spend(text.length / 2);
    known.set(key, relax(schema, { ...relaxing, conditional: text.includes('"if":') }));
  }
  return known.get(key);
}

interface Relaxation extends Relaxing {
  readonly conditional: boolean;
}

function relax(schema: unknown, how: Relaxation): unknown {
  if (Array.isArray(schema)) return schema.map((part) => relax(part, how));
  if (!isNode(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (DROPPED.has(keyword) || (how.anyText && OF_TEXT.has(keyword))) return [];
    if (how.conditional && AFTER_CONDITIONS.has(keyword)) return [];
    if (ONE.has(keyword) || LISTS.has(keyword)) return [[keyword, relax(value, how)]];
    return [[keyword, MAPS.has(keyword) && isNode(value) ? relaxMap(value, how) : value]];
  });
  const branches = [...conditionOf(schema, how), ...alternativesOf(schema, how), ...valuesOf(schema, how)];
  if (branches.length === 0) return Object.fromEntries([...kept, ...typeOf(schema, how)]);
  const all = kept.flatMap(([keyword, value]) => (keyword === "allOf" && Array.isArray(value) ? value : []));
  const others = kept.filter(([keyword]) => keyword !== "allOf");
  // After what was there: a `$ref` may name one of those by its place.
  return Object.fromEntries([...others, ...typeOf(schema, how), ["allOf", [...all, ...branches]]]);
}

/** Entries are defined, not assigned: a property may be called `__proto__`. */
const relaxMap = (map: Node, how: Relaxation): Node =>
  Object.fromEntries(
    Object.entries(map).map(([name, part]) => [name, isNode(part) ? relax(part, how) : part] as const),
  );

function typeOf({ type }: Node, { admit }: Relaxation): [string, unknown][] {
  return type === undefined ? [] : [["type", [...new Set([type, admit].flat())]]];
}

/** Whichever branch it will be. */
function conditionOf({ if: condition, then: yes, else: no }: Node, how: Relaxation): unknown[] {
  if (condition === undefined || yes === undefined || no === undefined) return [];
  return [{ anyOf: [relax(yes, how), relax(no, how)] }];
}

const alternativesOf = ({ oneOf }: Node, how: Relaxation): unknown[] =>
  Array.isArray(oneOf) ? [{ anyOf: oneOf.map((part) => relax(part, how)) }] : [];

/** A composite value may have open places within. */
function valuesOf(schema: Node, { admit, anyText }: Relaxation): unknown[] {
  const lists = [Array.isArray(schema.enum) ? schema.enum : [], Object.hasOwn(schema, "const") ? [schema.const] : []];
  return lists
    .filter((list) => list.length > 0)
    .filter((list) => !list.some((value) => isComposite(value) || (anyText && typeof value === "string")))
    .map((list) => ({ enum: [...new Set([...list, ...(admit === "null" ? [null] : [true, false])])] }));
}

const isComposite = (value: unknown): boolean => typeof value === "object" && value !== null;

const isNode = (value: unknown): value is Node => isComposite(value) && !Array.isArray(value);
