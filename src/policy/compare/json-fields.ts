/** Two sets of JSON fields side by side. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";

/** Fields of a JSON reply; one that is undefined is left out. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** The fields that differ, in order of their names. */
export function differingFields(before: JsonFields, after: JsonFields): { before: JsonFields; after: JsonFields } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter((name) => !isSameJson(before[name], after[name]));
  const pick = (fields: JsonFields): JsonFields =>
    Object.fromEntries(changed.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  return { before: pick(before), after: pick(after) };
}

export const isEmpty = (fields: JsonFields): boolean => Object.keys(fields).length === 0;

/** `undefined` equals only itself. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return canonicalJson(a) === canonicalJson(b);
}

/** The members that one side has alone, in order of UTF-16 code units. */
export function gainsAndLosses(before: ReadonlySet<string> = new Set(), after: ReadonlySet<string> = new Set()) {
  return {
    gained: [...after].filter((one) => !before.has(one)).sort(),
    lost: [...before].filter((one) => !after.has(one)).sort(),
  };
}

export type Change = "added" | "removed" | "widened" | "narrowed" | "changed";

/** `narrowed` only loses, `widened` only gains. */
export function changeOf(before: unknown, after: unknown, { gained, lost }: ReturnType<typeof gainsAndLosses>): Change {
  if (before === undefined) return "added";
  if (after === undefined) return "removed";
  if ((gained.length === 0) === (lost.length === 0)) return "changed";
  return lost.length === 0 ? "widened" : "narrowed";
}
