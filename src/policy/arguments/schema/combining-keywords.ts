/** Keywords that apply other schemas to the same value. Pure. */
import { all, branchHolds, fail, holds } from "./schema-node.ts";
import { childOf, childrenOf, mapOf, type ReadKeyword, textOf } from "./schema-reader.ts";

const NONE = "has none of the forms that the schema allows";

const allOf: ReadKeyword = (schema, reader) => {
  const nodes = childrenOf(schema, "allOf", reader);
  return nodes && ((visit) => all(nodes, visit, (node) => holds(node, visit)));
};

const anyOf: ReadKeyword = (schema, reader) => {
  const nodes = childrenOf(schema, "anyOf", reader);
  if (nodes === undefined || nodes.length === 0) return undefined;
  return (visit) => {
    // Where `unevaluated…` asks, each branch that holds has looked at something.
    const some = visit.evaluated
      ? nodes.filter((node) => branchHolds(node, visit)).length > 0
      : nodes.some((node) => branchHolds(node, visit));
    return some || fail(visit, NONE);
  };
};

const oneOf: ReadKeyword = (schema, reader) => {
  const nodes = childrenOf(schema, "oneOf", reader);
  if (nodes === undefined || nodes.length === 0) return undefined;
  return (visit) => {
    let found = 0;
    for (const node of nodes) {
      if (branchHolds(node, visit)) found += 1;
      if (found > 1) return fail(visit, "has more than one of the forms of which it must have one");
    }
    return found === 1 || fail(visit, NONE);
  };
};

const not: ReadKeyword = (schema, reader) => {
  const node = childOf(schema, "not", reader);
  return (
    node &&
    ((visit) =>
      !branchHolds(node, { ...visit, evaluated: undefined }) || fail(visit, "has a form that the schema excludes"))
  );
};

const condition: ReadKeyword = (schema, reader) => {
  const test = childOf(schema, "if", reader);
  const yes = childOf(schema, "then", reader);
  const no = childOf(schema, "else", reader);
  return (
    test &&
    ((visit) => {
      const next = branchHolds(test, visit) ? yes : no;
      return next === undefined || holds(next, visit);
    })
  );
};

const reference: ReadKeyword = (schema, reader) => {
  const ref = textOf(schema, "$ref");
  const target = ref === undefined ? undefined : reader.target(ref);
  return target && ((visit) => holds(target(), visit));
};

/** They demand nothing themselves: a `$ref` names what they hold. */
const definitions =
  (name: string): ReadKeyword =>
  (schema, reader) => {
    for (const [key, part] of mapOf(schema, name) ?? []) reader.child(part, name, key);
    return undefined;
  };

export const combiningKeywords: readonly (readonly [string, ReadKeyword])[] = [
  ["$ref", reference],
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["not", not],
  ["if", condition],
  ["then", condition],
  ["else", condition],
  ["$defs", definitions("$defs")],
  ["definitions", definitions("definitions")],
];
