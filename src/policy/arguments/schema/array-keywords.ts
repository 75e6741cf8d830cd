/** Keywords about the items of a list. Pure. */
import { childOf, childrenOf, type KeywordReaders, numberOf, ofSchema, type ReadKeyword } from "./read-keyword.ts";
import { all, branchHolds, childHolds, fail } from "./schema-node.ts";
import { canonicalText, isComposite } from "./value-keywords.ts";

const ONE_TOO_MANY = "is one item too many";

/** A tuple's items and those after them. Before 2020-12 a tuple was a list under `items`, and the others `additionalItems`. */
const items: ReadKeyword = (schema, reader) => {
  const isOld = Array.isArray(schema.items);
  const tuple = childrenOf(schema, isOld ? "items" : "prefixItems", reader) ?? [];
  const rest = isOld ? "additionalItems" : "items";
  const node = childOf(schema, rest, reader);
  // A keyword that the draft does not know must be a schema nevertheless: a `$ref` may name it.
  if (!isOld) childOf(schema, "additionalItems", reader);
  else childrenOf(schema, "prefixItems", reader);
  return (visit) => {
    const { value, evaluated } = visit;
    if (!Array.isArray(value)) return true;
    if (evaluated && node) evaluated.all = true;
    else if (evaluated)
      for (let index = 0; index < Math.min(tuple.length, value.length); index += 1) evaluated.keys.add(index);
    return all(node ? value : value.slice(0, tuple.length), visit, (item, index) => {
      const own = tuple[index] ?? node;
      if (own === undefined) return true;
      if (index >= tuple.length && schema[rest] === false) return fail(visit, ONE_TOO_MANY, index);
      return childHolds(own, visit, index, item);
    });
  };
};

const contains: ReadKeyword = (schema, reader) => {
  const node = childOf(schema, "contains", reader);
  if (node === undefined) return undefined;
  const least = numberOf(schema, "minContains") ?? 1;
  const most = numberOf(schema, "maxContains") ?? Number.POSITIVE_INFINITY;
  for (const name of ["minContains", "maxContains"])
    if (typeof (schema[name] ?? 0) !== "number") reader.refuse(`\`${name}\` must be a number`, name);
  return (visit) => {
    const { value, evaluated } = visit;
    if (!Array.isArray(value)) return true;
    let count = 0;
    value.forEach((item, index) => {
      if (!branchHolds(node, { ...visit, value: item, evaluated: undefined })) return;
      count += 1;
      evaluated?.keys.add(index);
    });
    if (count < least) return fail(visit, "holds too few items of the kind that the schema names");
    return count <= most || fail(visit, "holds too many items of the kind that the schema names");
  };
};

const uniqueItems: ReadKeyword = (schema) => {
  if (schema.uniqueItems !== true) return undefined;
  return (visit) => {
    const { value, run } = visit;
    if (!Array.isArray(value)) return true;
    run.work.spend(value.length);
    const scalars = new Set(value.filter((item) => !isComposite(item)));
    const composites = new Set(value.filter(isComposite).map((item) => canonicalText(item, run.work)));
    const isUnique = scalars.size + composites.size === value.length;
    return isUnique || fail(visit, "must not hold the same item twice");
  };
};

export const arrayKeywords: KeywordReaders = [
  ...["items", "prefixItems", "additionalItems"].map((name) => [name, items] as const),
  ["contains", contains],
  ["uniqueItems", uniqueItems],
];

export const unevaluatedItems = ofSchema("unevaluatedItems", (node, visit) => {
  const { value, evaluated, run } = visit;
  if (!Array.isArray(value) || !evaluated || evaluated.all) return true;
  run.work.spend(value.length);
  const seen = new Set(evaluated.keys);
  evaluated.all = true;
  return all(value, visit, (item, index) => {
    if (seen.has(index)) return true;
    return node.isFalse ? fail(visit, ONE_TOO_MANY, index) : childHolds(node, visit, index, item);
  });
});
