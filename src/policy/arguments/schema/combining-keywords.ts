/** Keywords that apply other schemas to the same value. Pure. */
import {
  childOf,
  entriesOf,
  type KeywordReaders,
  ofSchema,
  ofSchemas,
  type ReadKeyword,
  textOf,
} from "./read-keyword.ts";
import { all, branchHolds, fail, holds } from "./schema-node.ts";

const NO_FORM = "has none of the forms that the schema allows";

const condition: ReadKeyword = (schema, reader) => {
  const [test, yes, no] = ["if", "then", "else"].map((name) => childOf(schema, name, reader));
  if (test === undefined) return undefined;
  return (visit) => {
    const next = branchHolds(test, visit) ? yes : no;
    return next === undefined || holds(next, visit);
  };
};

const reference: ReadKeyword = (schema, reader) => {
  const ref = textOf(schema, "$ref");
  const target = ref === undefined ? undefined : reader.target(ref);
  return target && ((visit) => holds(target(), visit));
};

/** Definitions demand nothing themselves: a `$ref` names them. */
const definitions =
  (name: string): ReadKeyword =>
  (schema, reader) => {
    for (const [key, part] of entriesOf(schema, name) ?? []) reader.child(part, name, key);
    return undefined;
  };

export const combiningKeywords: KeywordReaders = [
  ["$ref", reference],
  ofSchemas("allOf", (nodes, visit) => all(nodes, visit, (node) => holds(node, visit))),
  ofSchemas("anyOf", (nodes, visit) => {
    // For `unevaluated…` every branch that holds counts.
    const some = visit.evaluated
      ? nodes.filter((node) => branchHolds(node, visit)).length > 0
      : nodes.some((node) => branchHolds(node, visit));
    return some || fail(visit, NO_FORM);
  }),
  ofSchemas("oneOf", (nodes, visit) => {
    let found = 0;
    for (const node of nodes) {
      if (branchHolds(node, visit)) found += 1;
      if (found > 1) return fail(visit, "has more than one of the forms of which it must have one");
    }
    return found === 1 || fail(visit, NO_FORM);
  }),
  ofSchema("not", (node, visit) => {
    return !branchHolds(node, { ...visit, evaluated: undefined }) || fail(visit, "has a form that the schema excludes");
  }),
  ...["if", "then", "else"].map((name) => [name, condition] as const),
  ...["$defs", "definitions"].map((name) => [name, definitions(name)] as const),
];
