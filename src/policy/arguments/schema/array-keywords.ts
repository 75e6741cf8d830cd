/** Keywords about the items of a list. Pure. */
import { all, branchHolds, childHolds, fail, type SchemaNode, type Visit } from "./schema-node.ts";
import { childOf, childrenOf, numberOf, type ReadKeyword } from "./schema-reader.ts";
import { canonicalText, isComposite } from "./value-keywords.ts";

const ONE_TOO_MANY = "is one item too many";

/** A tuple's items and those after them. Before 2020-12 a tuple was a list under `items`, and the others `additionalItems`. */
const items: ReadKeyword = (schema, reader) => {
  const isOld = Array.isArray(schema.items);
  const tuple = childrenOf(schema, isOld ? "items" : "prefixItems", reader) ?? [];
  const rest = isOld ? "additionalItems" : "items";
  const node = childOf(schema, rest, reader);
  // What the draft does not know must be a schema all the same: a `$ref` may name it.
  if (!isOld) childOf(schema, "additionalItems", reader);
  else childrenOf(schema, "prefixItems", reader);
  return (visit) => {
    const { value, evaluated } = visit;
    if (!Array.isArray(value)) return true;
    const fits = (item: unknown, index: number): boolean => {
      const own = tuple[index] ?? node;
      if (own === undefined) return true;
      if (index >= tuple.length && schema[rest] === false) return fail(visit, ONE_TOO_MANY, index);
      return childHolds(own, visit, index, item);
    };
    if (evaluated && node) evaluated.all = true;
    else if (evaluated)
      for (let index = 0; index < Math.min(tuple.length, value.length); index += 1) evaluated.keys.add(index);
    return all(node ? value : value.slice(0, tuple.length), visit, fits);
  };
};

const contains: ReadKeyword = (schema, reader) => {
  const node = childOf(schema, "contains", reader);
  const least = numberOf(schema, "minContains") ?? 1;
  const most = numberOf(schema, "maxContains") ?? Number.POSITIVE_INFINITY;
  for (const name of ["minContains", "maxContains"]) {
    if (node && typeof (schema[name] ?? 0) !== "number") reader.refuse(`\`${name}\` must be a number`, name);
  }
  return node && ((visit) => countFits(visit, node, least, most));
};

function countFits(visit: Visit, node: SchemaNode, least: number, most: number): boolean {
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
}

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

const minItems: ReadKeyword = (schema) => {
  const least = numberOf(schema, "minItems");
  if (least === undefined) return undefined;
  return (visit) => {
    const { value } = visit;
    if (!Array.isArray(value) || value.length >= least) return true;
    return fail(visit, `must have ${least} items or more, not ${value.length}`);
  };
};

const maxItems: ReadKeyword = (schema) => {
  const most = numberOf(schema, "maxItems");
  if (most === undefined) return undefined;
  return (visit) => {
    const { value } = visit;
    if (!Array.isArray(value) || value.length <= most) return true;
    return fail(visit, `must have ${most} items or fewer, not ${value.length}`);
  };
};

const unevaluated: ReadKeyword = (schema, reader) => {
  const node = childOf(schema, "unevaluatedItems", reader);
  const closed = schema.unevaluatedItems === false;
  return (
    node &&
    ((visit) => {
      const { value, evaluated, run } = visit;
      if (!Array.isArray(value) || !evaluated || evaluated.all) return true;
      run.work.spend(value.length);
      const looked = new Set(evaluated.keys);
      evaluated.all = true;
      const fits = (item: unknown, index: number): boolean => {
        if (looked.has(index)) return true;
        return closed ? fail(visit, ONE_TOO_MANY, index) : childHolds(node, visit, index, item);
      };
      return all(value, visit, fits);
    })
  );
};

export const arrayKeywords: readonly (readonly [string, ReadKeyword])[] = [
  ["items", items],
  ["prefixItems", items],
  ["additionalItems", items],
  ["contains", contains],
  ["uniqueItems", uniqueItems],
  ["minItems", minItems],
  ["maxItems", maxItems],
];

export const unevaluatedItems: typeof arrayKeywords = [["unevaluatedItems", unevaluated]];
