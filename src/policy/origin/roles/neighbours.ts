/** Finds which other arguments a tool has: some arguments have a meaning only together with others. Pure. */
import { memberOf, pointerKeys } from "../../../lib/json/json-value.ts";
import { meaningOf } from "./name-meaning.ts";
import { textOf } from "./schema-hints.ts";

export interface Neighbours {
  /** An argument is a host or a URL. */
  readonly takesHost: boolean;
  /** A call must name a channel, a mailbox or another receiver. */
  readonly namesReceiver: boolean;
}

/** Words that address something only together with one of the others. */
const PARTS: ReadonlySet<string> = new Set(["domain", "domains", "port", "ports"]);

/** @param leaves of the schema, by their pattern. */
export function neighboursIn(parameters: unknown, leaves: ReadonlyMap<string, unknown>): Neighbours {
  const required = memberOf(parameters, "required");
  const all = [...leaves].map(([pattern, schema]) => {
    const names = pointerKeys(pattern).filter((key) => key !== "*");
    return { names, schema, found: meaningOf(names.at(-1) ?? "") };
  });
  return {
    takesHost: all.some(
      ({ found, schema }) =>
        (found?.meaning === "address" && !PARTS.has(found.word)) ||
        /^(?:ur[il]|ir[il]|host|ip)/i.test(textOf(schema, "format") ?? ""),
    ),
    namesReceiver: all.some(
      ({ names, found }) =>
        found?.meaning === "destination" &&
        names.length === 1 &&
        Array.isArray(required) &&
        required.includes(names[0]),
    ),
  };
}
