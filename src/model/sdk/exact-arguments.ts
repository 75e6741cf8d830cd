/**
 * Restores the arguments of Google's calls as they were written. They come parsed, and the SDK's reader rounds numbers that a double cannot
 * hold: the call for one record's id would become that for another. Vetting refuses the restored text, and gives the reason.
 */
import { mayLoseNumbers, parseExact } from "../../lib/json/exact-json.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { splitSse } from "../../wire/sse-split.ts";

export interface ExactArguments {
  /** Reads a piece of the answer's body, and returns it. */
  read(bytes: Uint8Array): Uint8Array;
  /** JSON text for the call of this number, from 0; undefined if the SDK's text is the same. */
  of(call: number): string | undefined;
}

export function exactArguments(): ExactArguments {
  const decoder = new TextDecoder();
  const splitter = splitSse();
  const texts = new Map<number, string>();
  let calls = 0;
  return {
    read(bytes) {
      for (const { data } of splitter.push(decoder.decode(bytes, { stream: true }))) {
        if (data === undefined || !data.includes("functionCall")) continue;
        for (const call of callsIn(data)) {
          if (mayLoseNumbers(data)) texts.set(calls, JSON.stringify(call.args ?? {}));
          calls += 1;
        }
      }
      return bytes;
    },
    of: (call) => texts.get(call),
  };
}

/** Calls that come whole. The SDK reports what is not JSON. */
function callsIn(data: string): readonly { readonly args?: unknown }[] {
  let event: unknown;
  try {
    event = parseExact(data);
  } catch {
    return [];
  }
  const candidate: unknown = isObject(event) && Array.isArray(event.candidates) ? event.candidates[0] : undefined;
  const content = isObject(candidate) ? candidate.content : undefined;
  const parts: readonly unknown[] = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  return parts.flatMap((part) => {
    const call = isObject(part) ? part.functionCall : undefined;
    return isObject(call) && typeof call.name === "string" ? [call] : [];
  });
}
