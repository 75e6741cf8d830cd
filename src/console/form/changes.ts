/** What an edited form changes of a call's arguments, member by member. Pure. */
import { ok, type Result } from "../../lib/result.ts";
import type { Drafts } from "./draft.ts";
import { type Field, HIDDEN } from "./field.ts";
import { type FieldProblem, readMembers } from "./read-draft.ts";

export interface Changes {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

/** Undefined where nothing is changed. What is hidden and not replaced is not sent: the gateway has it. */
export function changesOf(
  fields: readonly Field[],
  drafts: Drafts,
  original: Readonly<Record<string, unknown>>,
): Result<Changes | undefined, readonly FieldProblem[]> {
  const read = readMembers(fields, drafts, "");
  if (!read.ok) return read;
  const set = Object.entries(read.value).filter(
    ([name, value]) => value !== HIDDEN && !(Object.hasOwn(original, name) && same(original[name], value)),
  );
  const unset = Object.keys(original).filter((name) => !Object.hasOwn(read.value, name));
  return ok(set.length + unset.length === 0 ? undefined : { arguments: Object.fromEntries(set), unset });
}

/** The order of members means nothing. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, sorted(member)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
