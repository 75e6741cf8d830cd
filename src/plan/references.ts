/** What references lead to: own members of an earlier step's result, and nothing else. Pure. */

import { parseMarkingNumbers } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { templatePlaces } from "./places.ts";
import type { PlanStep } from "./plan.ts";
import type { Reference } from "./template.ts";

/** UTF-16 units of a result that is looked into. */
const MAX_RESULT = 256 * 1024;

/** The references in a step's input, in the order in which they stand. */
export function referencesOf({ arguments: { input } }: Pick<PlanStep, "arguments">): readonly Reference[] {
  return templatePlaces(input).flatMap(({ parts, key }) =>
    key ? [] : parts.filter((part): part is Reference => part.kind === "reference"),
  );
}

/** Of a tool that gave back no JSON, its text. The error ends a sentence about the result. */
export function readResult(text: string | null | undefined): Result<unknown, string> {
  if (text === undefined || text === null) return err("was not kept: there is none, or it is too long");
  if (text.length > MAX_RESULT) return err("is too long");
  const parsed = parseMarkingNumbers(text);
  if (parsed.ok) return parsed;
  return parsed.error.problem === "syntax" ? ok(text) : err("cannot be trusted to mean one thing");
}

/** The value at the path, or undefined, which no JSON value is. */
export function valueAt(value: unknown, path: Reference["path"]): unknown {
  let at = value;
  for (const segment of path) {
    if (typeof at !== "object" || at === null) return undefined;
    const key = String(segment);
    // `length` is no member of a list, and `01` none of its places.
    if (Array.isArray(at) && !/^(?:0|[1-9]\d{0,9})$/.test(key)) return undefined;
    if (!Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}
