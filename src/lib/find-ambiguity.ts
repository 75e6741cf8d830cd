/** What two readers of the same JSON value could take for different things. Pure. */
import { foldKey } from "./fold-key.ts";

export interface Ambiguity {
  /** JSON pointer to the value, or to the object that holds the key. */
  readonly path: string;
  readonly message: string;
}

const SURROGATE = "holds half of a surrogate pair, which readers replace or refuse";

/** The first lone surrogate, or pair of keys of one object that are one key to readers which ignore case or Unicode forms. */
export function findAmbiguity(value: unknown, path = ""): Ambiguity | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : { path, message: SURROGATE };
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const odd = oddKey(Object.keys(value), path);
    if (odd) return odd;
  }
  for (const [key, item] of Object.entries(value)) {
    const found = findAmbiguity(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (found) return found;
  }
  return undefined;
}

function oddKey(keys: readonly string[], path: string): Ambiguity | undefined {
  const seen = new Map<string, string>();
  for (const key of keys) {
    if (!key.isWellFormed()) return { path, message: `has a key that ${SURROGATE}` };
    const folded = foldKey(key);
    const other = seen.get(folded);
    if (other !== undefined)
      return { path, message: `has the keys ${told(other)} and ${told(key)}, which some readers take for one` };
    seen.set(folded, key);
  }
  return undefined;
}

const told = (key: string): string => JSON.stringify(key.slice(0, 64));
