/** Keywords about the members of an object. Names are untrusted: only own members count. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { compilePattern, type LinearPattern } from "../linear-pattern.ts";
import { isListOfNames } from "./keyword-fault.ts";
import {
  childOf,
  entriesOf,
  type KeywordReaders,
  namesIn,
  ofSchema,
  type ReadKeyword,
  type SchemaReader,
} from "./read-keyword.ts";
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

const NOT_A_PROPERTY = "is not a property of this tool";

interface Members {
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly patterns: readonly { readonly pattern: LinearPattern; readonly node: SchemaNode }[];
  readonly additional: SchemaNode | undefined;
}

/** `properties`, `patternProperties` and `additionalProperties` together: the third is about what the others do not name. */
const members: ReadKeyword = (schema, reader) => {
  const named: Members = {
    properties: new Map(
      entriesOf(schema, "properties")?.map(([name, part]) => [name, reader.child(part, "properties", name)]),
    ),
    patterns: readPatterns(schema, reader),
    additional: childOf(schema, "additionalProperties", reader),
  };
  const onlyNamed = named.patterns.length === 0 && named.additional === undefined;
  return (visit) => {
    const { value } = visit;
    if (!isObject(value)) return true;
    if (onlyNamed) return namedHold(named, visit, value);
    return all(memberNames(visit.run, value), visit, (name) => memberHolds(named, visit, name, value[name]));
  };
};

function readPatterns(schema: JsonObject, reader: SchemaReader): Members["patterns"] {
  return (entriesOf(schema, "patternProperties") ?? []).flatMap(([source, part]) => {
    const compiled = compilePattern(source, reader.work);
    const node = reader.child(part, "patternProperties", source);
    if (!compiled.ok) {
      reader.refuse(`its pattern is not supported: ${compiled.error.slice(0, 150)}`, "patternProperties", source);
      return [];
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

function memberHolds({ properties, patterns, additional }: Members, visit: Visit, name: string, value: unknown) {
  visit.run.work.spend(1);
  const own = properties.get(name);
  const nodes = own ? [own] : [];
  // Also for a name that `properties` has: both apply.
  for (const { pattern, node } of patterns) if (pattern.test(name, visit.run.work)) nodes.push(node);
  if (nodes.length === 0) {
    if (additional === undefined) return true;
    if (additional.isFalse) return fail(visit, NOT_A_PROPERTY, name);
    nodes.push(additional);
  }
  visit.evaluated?.keys.add(name);
  return all(nodes, visit, (node) => childHolds(node, visit, name, value));
}

const required: ReadKeyword = (schema) => {
  const names = namesIn(schema.required);
  if (names.length === 0) return undefined;
  return (visit) => allGiven(names, visit, (name) => `\`${name}\` is required`);
};

function allGiven(names: readonly string[], visit: Visit, message: (name: string) => string): boolean {
  const { value, run } = visit;
  if (!isObject(value)) return true;
  run.work.spend(names.length);
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  for (const name of missing) fail(visit, message(name));
  return missing.length === 0;
}

/** The further demands of a member that is given: names, a schema, or (draft 7) either. */
const dependent =
  (
    keyword: string,
    read: (part: unknown, reader: SchemaReader, name: string) => readonly string[] | SchemaNode,
  ): ReadKeyword =>
  (schema, reader) => {
    const parts = entriesOf(schema, keyword)?.map(([name, part]) => [name, read(part, reader, name)] as const);
    if (parts === undefined) return undefined;
    return (visit) => {
      const { value } = visit;
      if (!isObject(value)) return true;
      visit.run.work.spend(parts.length);
      const given = parts.filter(([name]) => Object.hasOwn(value, name));
      return all(given, visit, ([, part]) =>
        "keywords" in part
          ? holds(part, visit)
          : allGiven(part, visit, (name) => `\`${name}\` is required with what is given`),
      );
    };
  };

const dependencies = dependent("dependencies", (part, reader, name) => {
  if (!Array.isArray(part)) return reader.child(part, "dependencies", name);
  if (!isListOfNames(part)) reader.refuse("must be a schema or a list of strings", "dependencies", name);
  return namesIn(part);
});

export const objectKeywords: KeywordReaders = [
  ...["properties", "patternProperties", "additionalProperties"].map((name) => [name, members] as const),
  ["required", required],
  ["dependentRequired", dependent("dependentRequired", namesIn)],
  [
    "dependentSchemas",
    dependent("dependentSchemas", (part, reader, name) => reader.child(part, "dependentSchemas", name)),
  ],
  ["dependencies", dependencies],
  ofSchema("propertyNames", (node, visit) => {
    if (!isObject(visit.value)) return true;
    const fits = (name: string) => branchHolds(node, { ...visit, value: name, evaluated: undefined });
    return (
      memberNames(visit.run, visit.value).every(fits) || fail(visit, "has a property name that the schema excludes")
    );
  }),
];

export const unevaluatedProperties = ofSchema("unevaluatedProperties", (node, visit) => {
  const { value, evaluated, run } = visit;
  if (!isObject(value) || !evaluated || evaluated.all) return true;
  const names = memberNames(run, value);
  run.work.spend(names.length);
  const left = names.filter((name) => !evaluated.keys.has(name));
  evaluated.all = true;
  return all(left, visit, (name) =>
    node.isFalse ? fail(visit, NOT_A_PROPERTY, name) : childHolds(node, visit, name, value[name]),
  );
});
