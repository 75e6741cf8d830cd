/** A body that every reader takes alike: an object, with no key twice and no number that would be read as another. Pure. */

import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { parseStrictJson } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { badRequest, type Problem } from "./problem.ts";

/** @param example what to send, for the message. */
export function readStrictObject(bytes: ArrayBuffer, example: string): Result<JsonObject, Problem> {
  const text = decoded(bytes);
  if (text === undefined) return err(badRequest(undefined, "the body is not UTF-8", "invalid_json"));
  const parsed = parseStrictJson(text);
  if (!parsed.ok) {
    const more = parsed.error.problem === "syntax" ? `: send ${example}` : "";
    return err(badRequest(undefined, `${faults[parsed.error.problem]}${more}`, "invalid_json"));
  }
  if (isObject(parsed.value)) return ok(parsed.value);
  return err(badRequest(undefined, `the body must be a JSON object: send ${example}`, "invalid_json"));
}

function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

const faults = {
  syntax: "the body is not JSON",
  duplicate_key: "the body holds a key twice: remove one of them",
  proto_key: "`__proto__` cannot be a name: leave it out",
  number: "the body holds a number that a double cannot hold: write fewer digits, or send text",
  depth: "the body is nested too deeply",
} as const;
