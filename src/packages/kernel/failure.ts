/** What a turn that failed throws. */
import { isObject } from "../../lib/json/json-value.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { ToolgateError } from "./toolgate-error.ts";

/** The model's own error, so that the caller can tell it and try again; else ours. */
export function failureOf(ending: Extract<Ending, { kind: "error" }>, thrown: unknown): unknown {
  const { stopReason, status, error } = ending;
  if (stopReason === "aborted") return thrown ?? new DOMException("the caller went away", "AbortError");
  if (stopReason === "upstream_error" && thrown !== undefined) return thrown;
  const { message, code } = isObject(error) ? error : { message: "the turn failed", code: null };
  return new ToolgateError(String(message), typeof code === "string" ? code : stopReason, status);
}
