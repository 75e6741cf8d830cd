/** Compares two versions of a thing: fields that differ, members gained and lost. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";

/** Fields of a JSON reply; one that is undefined is left out. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** The fields that differ, sorted by name. */
export function differingFields(before: JsonFields, after: JsonFields): { before: JsonFields; after: JsonFields } {
  const names = unionOf(Object.keys(before), Object.keys(after)).filter(
    (name) => !isSameJson(before[name], after[name]),
  );
  const pick = (fields: JsonFields): JsonFields =>
    Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  return { before: pick(before), after: pick(after) };
}

export const isEmpty = (fields: JsonFields): boolean => Object.keys(fields).length === 0;

/** `undefined` equals only itself. */
export const isSameJson = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));

/** The names of both, sorted, each once. */
export const unionOf = (before: Iterable<string>, after: Iterable<string>): string[] =>
  [...new Set([...before, ...after])].sort();

/** The members that only one side has, sorted. */
export const gainsAndLosses = (before: Iterable<string> = [], after: Iterable<string> = []) => ({
  gained: [...new Set(after).difference(new Set(before))].sort(),
  lost: [...new Set(before).difference(new Set(after))].sort(),
});

export type Change = "added" | "removed" | "widened" | "narrowed" | "changed";

/** `narrowed` only loses, `widened` only gains. */
export function changeOf(before: unknown, after: unknown, { gained, lost }: ReturnType<typeof gainsAndLosses>): Change {
  if (before === undefined) return "added";
  if (after === undefined) return "removed";
  if ((gained.length === 0) === (lost.length === 0)) return "changed";
  return lost.length === 0 ? "widened" : "narrowed";
}

/** The limits of one comparison. A tenant writes its own documents, and the isolate serves no request while it compares them. */
export class Limits {
  /** Something was left out. */
  truncated = false;

  first<T>(list: readonly T[], max: number): readonly T[] {
    if (list.length > max) this.truncated = true;
    return list.slice(0, max);
  }

  /** @returns a function that grants costs until their sum reaches `total`. */
  budget(total: number): (cost: number) => boolean {
    let left = total;
    return (cost) => {
      left -= cost;
      if (left < 0) this.truncated = true;
      return left >= 0;
    };
  }
}
