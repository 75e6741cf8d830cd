/** Which names the record of a call may hold: those of arguments, and that of the tool. Pure. */
import { propertyNames } from "../../lib/json/property-names.ts";
import type { RecordedNames } from "../../lib/redact.ts";
import { unique } from "../../lib/unique.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { schemaOf } from "../call/disclose-call.ts";
import type { Turn } from "../turn.ts";

interface CallRecording extends RecordedNames {
  readonly redact: readonly string[];
  readonly tool?: string;
}

/**
 * If a model misspells a tool's name, the record must not hold what the policy redacts for the right one, and neither may the name itself.
 */
export function recordingOf(turn: Turn, { name }: ModelCall, reasons: readonly Reason[]): CallRecording {
  const { policy } = turn.input;
  if (reasons.every(({ code }) => code !== "unknown_tool"))
    return { redact: traitsOf(policy, name).redact, known: propertyNames(schemaOf(turn, name)) };
  const tools = unique([...policy.tools.keys(), ...turn.tools.map((tool) => tool.name)]);
  const redact = unique(tools.flatMap((tool) => traitsOf(policy, tool).redact));
  const known = new Set(tools.flatMap((tool) => [...(propertyNames(schemaOf(turn, tool)) ?? [])]));
  return { redact, known, only: true, ...(redact.length > 0 ? { tool: knownPartOf(name, tools) } : {}) };
}

/**
 * Keeps the words of a made-up name that tools have, and in a plain name also words without digits: `delete_all_records`, `pay_…` for
 * `pay_4711`, but `pay…` for `pay hunter`.
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
/** The form of tools' names. */
const PLAIN = /^[\w.-]{1,64}$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_NAME = 200;
