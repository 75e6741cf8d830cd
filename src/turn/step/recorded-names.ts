/** What the record of a call may hold: which names of arguments, and which name of the tool. Pure. */
import { propertyNames } from "../../lib/json/property-names.ts";
import type { RecordedNames } from "../../lib/redact.ts";
import { unique } from "../../lib/unique.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { schemaOf } from "../call/disclose-call.ts";
import type { Turn } from "../turn.ts";

interface Recording extends RecordedNames {
  readonly redact: readonly string[];
  readonly tool?: string;
}

/** A model that misspells a tool's name must not put on record what the policy redacts of the right one, neither in the name itself. */
export function recordingOf(turn: Turn, { name }: ModelCall, reasons: readonly Reason[]): Recording {
  const { policy } = turn.input;
  if (reasons.every(({ code }) => code !== "unknown_tool"))
    return { redact: traitsOf(policy, name).redact, known: propertyNames(schemaOf(turn, name)) };
  const tools = unique([...policy.tools.keys(), ...turn.tools.map((tool) => tool.name)]);
  const redact = unique(tools.flatMap((tool) => traitsOf(policy, tool).redact));
  const known = new Set(tools.flatMap((tool) => [...(propertyNames(schemaOf(turn, tool)) ?? [])]));
  return { redact, known, only: true, ...(redact.length > 0 ? { tool: knownPartOf(name, tools) } : {}) };
}

/**
 * Of a made-up name the words that tools have, and in a plain name those without digits: `delete_all_records`, and `pay_…` of `pay_4711`, but
 * `pay…` of `pay hunter`.
 */
function knownPartOf(name: string, tools: readonly string[]): string {
  const words = new Set(tools.flatMap((tool) => tool.toLowerCase().match(WORD) ?? []));
  const isPlain = PLAIN.test(name);
  const isKept = (word: string) => words.has(word.toLowerCase()) || (isPlain && !/\p{N}/u.test(word));
  return name
    .slice(0, MAX_NAME)
    .replace(WORD, (word) => (isKept(word) ? word : "…"))
    .replace(/[^\p{L}\p{M}\p{N}_.…-]/gu, "");
}
/** As tools are named. */
const PLAIN = /^[\w.-]{1,64}$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_NAME = 200;
