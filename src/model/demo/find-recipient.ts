/** To whom something goes, as a text says it. Pure. */
import { latePattern } from "../../lib/once.ts";

export interface WantedPerson {
  /** The id of the step that finds out about them. */
  readonly step: string;
  /** Absent where they are known by what they are. */
  readonly name?: string;
  /** As in "the sales lead". */
  readonly kind?: string;
}

const NAME = "(\\p{Lu}[\\p{L}'-]*(?:\\s\\p{Lu}[\\p{L}'-]*)*)";
const KINDS = "lead|contact|customer|client|opportunity";
const NAMED = latePattern(
  `(?:\\bto|^\\s*(?:please\\s+)?(?:send|e-?mail|mail|write|message|tell|forward|reply to))\\s+${NAME}`,
  "iu",
);
const CALLED = latePattern(`^${NAME}`, "u");
const KIND = latePattern(
  `\\b(?:to|send|e-?mail|mail|write|tell)\\s+(?:the|our|my)\\s+(?:\\p{L}+\\s+)?(${KINDS})\\b`,
  "iu",
);

/** The first that is named, or told by what they are. */
export function recipientIn(clause: string): WantedPerson | undefined {
  const kind = KIND().exec(clause)?.[1]?.toLowerCase();
  if (kind !== undefined) return { step: `find_${kind}`, kind };
  const named = NAMED().exec(clause)?.[1];
  // The `i` is for the verbs: a name has capitals.
  const name = named === undefined ? undefined : CALLED().exec(named)?.[1];
  return name === undefined ? undefined : { step: `find_${idOf(name)}`, name };
}

const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 40) || "person";
