/** A JSON Schema ready for checks: a tree of keywords. Pure. */
import { toPointer } from "../../../lib/json/json-value.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import type { ArgumentIssue } from "../../reasons.ts";

/** @returns whether the value meets the keyword's demand. If not, it adds an issue if the visit collects issues. */
export type Keyword = (visit: Visit) => boolean;

export interface SchemaNode {
  readonly keywords: readonly Keyword[];
  /** `unevaluatedProperties` and `unevaluatedItems`: they apply to what the other keywords have not looked at. */
  readonly unevaluated: readonly Keyword[];
  /** The schema `false`, which has messages of its own. */
  readonly isFalse?: true;
}

/** One schema at one value. */
export interface Visit {
  readonly value: unknown;
  readonly place: ValuePath | undefined;
  readonly run: Run;
  /** Absent in a branch of `anyOf` and the like: there only the answer counts. */
  readonly issues: ArgumentIssue[] | undefined;
  /** Absent if no `unevaluated…` needs it. */
  readonly evaluated: Evaluated | undefined;
}

export interface Run {
  readonly work: WorkBudget;
  depth: number;
  /** The members of objects seen so far: many branches need the same list, and an object may have many members. */
  readonly names: Map<JsonObject, readonly string[]>;
}

export function memberNames({ names, work }: Run, value: JsonObject): readonly string[] {
  const known = names.get(value);
  if (known) return known;
  const found = Object.keys(value);
  work.spend(1 + found.length);
  names.set(value, found);
  return found;
}

/** The path of the value, innermost first: a pointer is written only for an issue. */
interface ValuePath {
  readonly parent: ValuePath | undefined;
  readonly key: string | number;
}

/** Members and items that some keyword has looked at. */
interface Evaluated {
  all: boolean;
  readonly keys: Set<string | number>;
}

const MAX_ISSUES = 5;
/** Deeper than any honest schema and value. A `$ref` that leads back to itself ends here. */
const MAX_DEPTH = 400;

export function holds(node: SchemaNode, visit: Visit): boolean {
  const { run, issues } = visit;
  run.work.spend(1 + node.keywords.length);
  if (run.depth >= MAX_DEPTH) throw new Error("the schema's $ref leads back to itself, or the arguments are too deep");
  run.depth += 1;
  const asks = node.unevaluated.length > 0;
  const own = asks ? { ...visit, evaluated: newEvaluated() } : visit;
  let valid = true;
  for (const keyword of node.keywords) {
    if (keyword(own)) continue;
    valid = false;
    if (issues === undefined || issues.length >= MAX_ISSUES) break;
  }
  // After a failure it is unknown what the keywords looked at.
  if (valid && asks) {
    valid = node.unevaluated.every((keyword) => keyword(own));
    if (valid && visit.evaluated && own.evaluated) join(visit.evaluated, own.evaluated, run.work);
  }
  run.depth -= 1;
  return valid;
}

/** Whether a branch holds. Only then it counts what the branch has looked at. */
export function branchHolds(node: SchemaNode, visit: Visit): boolean {
  const evaluated = visit.evaluated && newEvaluated();
  const valid = holds(node, { ...visit, issues: undefined, evaluated });
  if (valid && visit.evaluated && evaluated) join(visit.evaluated, evaluated, visit.run.work);
  return valid;
}

/** A member or an item. What keywords look at within it does not count for its parent. */
export function childHolds(
  node: SchemaNode,
  { run, place, issues }: Visit,
  key: string | number,
  value: unknown,
): boolean {
  return holds(node, { value, place: { parent: place, key }, run, issues, evaluated: undefined });
}

/** Whether the check holds for all. It stops at the first failure unless issues are collected. */
export function all<T>(list: readonly T[], { issues }: Visit, check: (item: T, index: number) => boolean): boolean {
  return issues ? list.map(check).every((valid) => valid) : list.every(check);
}

const newEvaluated = (): Evaluated => ({ all: false, keys: new Set() });

function join(into: Evaluated, from: Evaluated, work: WorkBudget): void {
  into.all ||= from.all;
  if (into.all) return;
  work.spend(from.keys.size);
  for (const key of from.keys) into.keys.add(key);
}

/** @param key of the member or item that the issue is about, if it is about one. */
export function fail({ issues, place }: Visit, message: string, key?: string | number): false {
  if (issues !== undefined && issues.length < MAX_ISSUES) {
    issues.push({ path: pathOf(key === undefined ? place : { parent: place, key }), message: message.slice(0, 200) });
  }
  return false;
}

function pathOf(place: ValuePath | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) keys.push(at.key);
  return toPointer(keys.reverse());
}

export type JsonObject = Readonly<Record<string, unknown>>;
