/** Keywords about the members of an object. Names are a stranger's: only own members count. Pure. */

import { isObject } from "../../../lib/json/json-value.ts";
import { compilePattern, type LinearPattern } from "../linear-pattern.ts";
import { isListOfStrings } from "./keyword-fault.ts";
import {
  all,
  branchHolds,
  childHolds,
  fail,
  holds,
  type JsonObject,
  memberNames,
  type SchemaNode,
  type Visit,
} from "./schema-node.ts";
import { childOf, mapOf, namesIn, namesOf, numberOf, type ReadKeyword, type SchemaReader } from "./schema-reader.ts";

const NOT_A_PROPERTY = "is not a property of this tool";

interface Members {
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly patterns: readonly { readonly pattern: LinearPattern; readonly node: SchemaNode }[];
  readonly additional: SchemaNode | undefined;
  readonly closed: boolean;
}

/** `properties`, `patternProperties` and `additionalProperties` together: the third is about what the others do not name. */
const members: ReadKeyword = (schema, reader) => {
  const named: Members = {
    properties: new Map(
      mapOf(schema, "properties")?.map(([name, part]) => [name, reader.child(part, "properties", name)]),
    ),
    patterns: readPatterns(schema, reader),
    additional: childOf(schema, "additionalProperties", reader),
    closed: schema.additionalProperties === false,
  };
  const onlyNamed = named.patterns.length === 0 && named.additional === undefined;
  return (visit) => {
    const { value } = visit;
    if (!isObject(value)) return true;
    return onlyNamed ? namedHold(named, visit, value) : allHold(named, visit, value);
  };
};

function readPatterns(schema: JsonObject, reader: SchemaReader): Members["patterns"] {
  return (mapOf(schema, "patternProperties") ?? []).flatMap(([source, part]) => {
    const compiled = compilePattern(source, reader.work);
    const node = reader.child(part, "patternProperties", source);
    if (!compiled.ok) {
      const message = `its pattern is not supported: ${compiled.error.slice(0, 150)}`;
      return reader.refuse(message, "patternProperties", source) ?? [];
    }
    reader.holdsBytes(compiled.value.bytes);
    return { pattern: compiled.value, node };
  });
}

/** By the schema's names, not by the value's: a value with many members must not cost more for each branch that names one. */
function namedHold({ properties }: Members, visit: Visit, value: JsonObject): boolean {
  visit.run.work.spend(properties.size);
  const given = [...properties].filter(([name]) => Object.hasOwn(value, name));
  return all(given, visit, ([name, node]) => {
    visit.evaluated?.keys.add(name);
    return childHolds(node, visit, name, value[name]);
  });
}

const allHold = (named: Members, visit: Visit, value: JsonObject): boolean =>
  all(memberNames(visit.run, value), visit, (name) => memberHolds(named, visit, name, value[name]));

function memberHolds(
  { properties, patterns, additional, closed }: Members,
  visit: Visit,
  name: string,
  value: unknown,
) {
  visit.run.work.spend(1);
  const own = properties.get(name);
  const nodes = own ? [own] : [];
  // Also for a name that `properties` has: both apply.
  for (const { pattern, node } of patterns) if (pattern.test(name, visit.run.work)) nodes.push(node);
  if (nodes.length === 0) {
    if (additional === undefined) return true;
    if (closed) return fail(visit, NOT_A_PROPERTY, name);
    nodes.push(additional);
  }
  visit.evaluated?.keys.add(name);
  return all(nodes, visit, (node) => childHolds(node, visit, name, value));
}

const required: ReadKeyword = (schema) => requiring(namesOf(schema, "required"), (name) => `\`${name}\` is required`);

const requiring = (names: readonly string[], message: (name: string) => string) =>
  names.length === 0 ? undefined : (visit: Visit) => allGiven(names, visit, message);

function allGiven(names: readonly string[], visit: Visit, message: (name: string) => string): boolean {
  const { value, run } = visit;
  if (!isObject(value)) return true;
  run.work.spend(names.length);
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  for (const name of missing) fail(visit, message(name));
  return missing.length === 0;
}

const dependentMessage = (name: string) => `\`${name}\` is required with what is given`;

const dependentRequired: ReadKeyword = (schema) => {
  const lists = mapOf(schema, "dependentRequired")?.map(([name, names]) => [name, namesIn(names)] as const);
  return lists && ((visit) => everyGiven(lists, visit, (names) => allGiven(names, visit, dependentMessage)));
};

const dependentSchemas: ReadKeyword = (schema, reader) => {
  const nodes = mapOf(schema, "dependentSchemas")?.map(
    ([name, part]) => [name, reader.child(part, "dependentSchemas", name)] as const,
  );
  return nodes && ((visit) => everyGiven(nodes, visit, (node) => holds(node, visit)));
};

function readDependency(part: unknown, reader: SchemaReader, name: string): readonly string[] | SchemaNode {
  if (!Array.isArray(part)) return reader.child(part, "dependencies", name);
  if (!isListOfStrings(part)) reader.refuse("must be a schema or a list of strings", "dependencies", name);
  return namesIn(part);
}

/** Draft 7: both of the above in one. */
const dependencies: ReadKeyword = (schema, reader) => {
  const parts = mapOf(schema, "dependencies")?.map(
    ([name, part]) => [name, readDependency(part, reader, name)] as const,
  );
  return (
    parts &&
    ((visit) =>
      everyGiven(parts, visit, (part) =>
        "keywords" in part ? holds(part, visit) : allGiven(part, visit, dependentMessage),
      ))
  );
};

function everyGiven<T>(parts: readonly (readonly [string, T])[], visit: Visit, check: (part: T) => boolean): boolean {
  const { value } = visit;
  if (!isObject(value)) return true;
  visit.run.work.spend(parts.length);
  const given = parts.filter(([name]) => Object.hasOwn(value, name));
  return all(given, visit, ([, part]) => check(part));
}

const propertyNames: ReadKeyword = (schema, reader) => {
  const node = childOf(schema, "propertyNames", reader);
  return (
    node &&
    ((visit) => {
      if (!isObject(visit.value)) return true;
      const fits = (name: string) => branchHolds(node, { ...visit, value: name, evaluated: undefined });
      return (
        memberNames(visit.run, visit.value).every(fits) || fail(visit, "has a property name that the schema excludes")
      );
    })
  );
};

const memberCount =
  (keyword: string, words: string, fits: (count: number, limit: number) => boolean): ReadKeyword =>
  (schema) => {
    const limit = numberOf(schema, keyword);
    if (limit === undefined) return undefined;
    return (visit) => {
      if (!isObject(visit.value)) return true;
      return (
        fits(memberNames(visit.run, visit.value).length, limit) ||
        fail(visit, `must have ${limit} properties or ${words}`)
      );
    };
  };

const unevaluated: ReadKeyword = (schema, reader) => {
  const node = childOf(schema, "unevaluatedProperties", reader);
  const closed = schema.unevaluatedProperties === false;
  return (
    node &&
    ((visit) => {
      const { value, evaluated, run } = visit;
      if (!isObject(value) || !evaluated || evaluated.all) return true;
      const names = memberNames(run, value);
      run.work.spend(names.length);
      const left = names.filter((name) => !evaluated.keys.has(name));
      evaluated.all = true;
      const fits = (name: string) =>
        closed ? fail(visit, NOT_A_PROPERTY, name) : childHolds(node, visit, name, value[name]);
      return all(left, visit, fits);
    })
  );
};

export const objectKeywords: readonly (readonly [string, ReadKeyword])[] = [
  ["properties", members],
  ["patternProperties", members],
  ["additionalProperties", members],
  ["required", required],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["dependencies", dependencies],
  ["propertyNames", propertyNames],
  ["minProperties", memberCount("minProperties", "more", (count, limit) => count >= limit)],
  ["maxProperties", memberCount("maxProperties", "fewer", (count, limit) => count <= limit)],
];

export const unevaluatedProperties: typeof objectKeywords = [["unevaluatedProperties", unevaluated]];
