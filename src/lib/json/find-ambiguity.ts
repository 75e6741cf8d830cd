/** Finds parts of a JSON value that two readers could take for different things. Pure. */

import { foldKey } from "../names.ts";
import type { WorkBudget } from "../work-budget.ts";
import { toPointer } from "./json-value.ts";

interface Ambiguity {
  /** JSON pointer to the value, or to the object that holds the key. */
  readonly path: string;
  readonly message: string;
}

const SURROGATE = "holds half of a surrogate pair, which readers replace or refuse";

/** The first lone surrogate, or pair of keys of one object that are one key to readers which ignore case or Unicode forms. Throws `WorkSpent`. */
export function findAmbiguity(value: unknown, work: WorkBudget): Ambiguity | undefined {
  work.spend(1);
  if (typeof value === "string") return value.isWellFormed() ? undefined : { path: "", message: SURROGATE };
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findAmbiguity(item, work);
      if (found) return below(String(index), found);
    }
    return undefined;
  }
  const keys = Object.keys(value);
  const odd = oddKey(keys, work);
  if (odd !== undefined) return { path: "", message: odd };
  for (const key of keys) {
    const found = findAmbiguity((value as Readonly<Record<string, unknown>>)[key], work);
    if (found) return below(key, found);
  }
  return undefined;
}

const below = (key: string, { path, message }: Ambiguity): Ambiguity => ({
  path: toPointer([key]) + path,
  message,
});

function oddKey(keys: readonly string[], work: WorkBudget): string | undefined {
  const seen = new Map<string, string>();
  for (const key of keys) {
    work.spend(2 + key.length);
    if (!key.isWellFormed()) return `has a key that ${SURROGATE}`;
    const folded = foldKey(key);
    const other = seen.get(folded);
    if (other !== undefined)
      return `has the keys ${shownKey(other)} and ${shownKey(key)}, which some readers take for one`;
    seen.set(folded, key);
  }
  return undefined;
}

const shownKey = (key: string): string => JSON.stringify(key.slice(0, 64));
