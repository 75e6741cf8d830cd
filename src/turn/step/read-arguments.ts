/** Reads a call's arguments for vetting. Pure. */
import { isObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { ModelCall } from "../../wire/call-parts.ts";

export type Arguments = Readonly<Record<string, unknown>>;

type ReadArguments = { readonly ok: true; readonly value: Arguments } | { readonly ok: false; readonly reason: Reason };

const FAULTS = {
  syntax: "the arguments are not valid JSON",
  duplicate_key: "the arguments hold a key twice",
  proto_key: "the arguments hold the key `__proto__`",
  number:
    "the arguments hold a number with more digits than a reader keeps, give it as text (in quotes), or with fewer digits",
  depth: "the arguments are nested too deeply",
} as const;

/** Refuses arguments that two readers could understand differently. No text at all means no arguments. */
export function readArguments(call: ModelCall): ReadArguments {
  const refuse = (message: string): ReadArguments => ({
    ok: false,
    reason: { code: "arguments_invalid", tool: call.name, issues: [{ path: "", message }] },
  });
  if (call.arguments.trim() === "") return { ok: true, value: {} };
  const parsed = parseStrictJson(call.arguments);
  if (!parsed.ok) return refuse(FAULTS[parsed.error.problem]);
  const value = parsed.value;
  if (!isObject(value)) return refuse("the arguments are not a JSON object");
  return { ok: true, value };
}
