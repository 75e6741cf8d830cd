/**
 * Reads the shape of a policy document. Pure. If parts are malformed, the rest is still read, so that it can be checked
 * too. Such a rest is never put in force.
 */

import { isObject, toPointer, valueAt } from "../../lib/json/json-value.ts";
import { type PolicyDocument, policyDocument } from "./document-schema.ts";
import { MalformedParts, type PartPath, type PolicyIssue } from "./policy-issue.ts";
import { type ShapeIssue, shapeIssues, shapeMessages } from "./shape-issues.ts";

interface ShapeReading {
  /** Undefined if no part of the document can be checked. */
  readonly document: PolicyDocument | undefined;
  readonly malformed: MalformedParts;
  readonly issues: readonly PolicyIssue[];
}

/** The limit of `lib/json/strict-json.ts`. */
const MAX_DEPTH = 100;

export function readShape(input: unknown): ShapeReading {
  const malformed = new MalformedParts();
  const unfit = findUnfit(input, []);
  const rest = { value: input };
  if (unfit.length > 0) takeOut(rest, unfit, malformed);
  const first = parse(rest.value);
  let { document, found } = first;
  while (document === undefined && takeOut(rest, found, malformed)) ({ document, found } = parse(rest.value));
  for (const issue of first.found) for (const part of partsMeant(input, issue)) malformed.addDoubtful(part);
  const issues = [...unfit, ...withoutMisspelt(first.found)];
  return { document, malformed, issues: issues.map(({ path, message }) => ({ path, message })) };
}

function parse(input: unknown): { document: PolicyDocument | undefined; found: readonly ShapeIssue[] } {
  const parsed = policyDocument().safeParse(input, { error: shapeMessages });
  if (parsed.success) return { document: parsed.data, found: [] };
  const found = shapeIssues(parsed.error);
  return { document: undefined, found: found.map((one) => (one.path === "" ? ofWhole(one) : one)) };
}

const ofWhole = (issue: ShapeIssue): ShapeIssue => ({ ...issue, message: `the policy ${issue.message}` });

/** The paths that the members of a misspelt name would have: references to them are no errors. */
function partsMeant(input: unknown, { at, meant }: ShapeIssue): readonly PartPath[] {
  if (meant === undefined) return [];
  const place = [...at.slice(0, -1), meant];
  const value = valueAt(input, at);
  if (!isObject(value)) return [place];
  return Object.keys(value).map((name) => [...place, name]);
}

/** A member that is present under another spelling is not reported as missing. */
function withoutMisspelt(issues: readonly ShapeIssue[]): readonly ShapeIssue[] {
  const meant = new Set(issues.flatMap(({ at, meant }) => (meant ? [toPointer([...at.slice(0, -1), meant])] : [])));
  return issues.filter(({ path, message }) => !(meant.has(path) && message === "is missing"));
}

/**
 * Removes malformed parts, and objects that lack a required member. Called again while the rest still has a wrong shape:
 * each time it removes parts one level higher.
 * @returns false if nothing would be left.
 */
function takeOut(rest: { value: unknown }, issues: readonly { at: PartPath }[], malformed: MalformedParts): boolean {
  const targets = issues.map(({ at }) => presentPart(rest.value, at));
  if (targets.some((target) => target.length === 0)) return false;
  rest.value = structuredClone(rest.value);
  for (const target of targets) removePart(rest.value, target, targets, malformed);
  return true;
}

/** For a missing member the object that lacks it. */
const presentPart = (value: unknown, path: PartPath): PartPath =>
  path.length > 0 && valueAt(value, path) === undefined ? path.slice(0, -1) : path;

/** A copy of a sound sibling replaces a removed element: otherwise the indices of later elements would change. */
function removePart(value: unknown, path: PartPath, targets: readonly PartPath[], malformed: MalformedParts): void {
  malformed.addUnread(path);
  const above = path.slice(0, -1);
  const parent = valueAt(value, above);
  if (typeof parent !== "object" || parent === null) return;
  const key = path.at(-1) ?? "";
  if (!Array.isArray(parent)) {
    Reflect.deleteProperty(parent, key);
    return;
  }
  const isUnsound = (index: number) => targets.some((one) => toPointer(one) === toPointer([...above, index]));
  const sound = parent.findIndex((_, index) => !isUnsound(index));
  if (sound >= 0) parent[Number(key)] = structuredClone(parent[sound]);
  else removePart(value, above, targets, malformed);
}

/**
 * zod drops `__proto__` keys silently: a tool or a mode of that name would be a rule without effect. And headers, digests
 * and databases cannot hold half a character: a name with one could not be stored.
 */
function findUnfit(value: unknown, at: PartPath): (PolicyIssue & { at: PartPath })[] {
  if (typeof value === "string") return value.isWellFormed() ? [] : [unfit(at, HALF_A_CHARACTER)];
  if (typeof value !== "object" || value === null) return [];
  if (at.length > MAX_DEPTH) return [unfit(at, "is nested too deeply")];
  return Object.entries(value).flatMap(([key, child]) => {
    const place = [...at, key];
    if (key === "__proto__") return [unfit(place, "cannot be a name, choose another")];
    return key.isWellFormed() ? findUnfit(child, place) : [unfit(place, HALF_A_CHARACTER)];
  });
}

const unfit = (at: PartPath, message: string) => ({ path: toPointer(at).toWellFormed(), message, at });

const HALF_A_CHARACTER = "holds half a character (a lone surrogate), write the whole one";
