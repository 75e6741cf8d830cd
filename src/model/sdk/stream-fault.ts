/** Faults of a provider's stream. Pure. */
import { isObject } from "../../lib/json/json-value.ts";

export interface StreamFault {
  readonly detail: string;
  readonly error?: unknown;
  /** Another attempt may succeed, if nothing was sent yet. */
  readonly isTransient?: boolean;
}

/** An error that the provider sent in its stream. */
export function errorFault(error: unknown): StreamFault {
  if (!isObject(error)) return { detail: "the provider reported an error" };
  const { message, type, code, statusCode } = error;
  // An event that the SDK could not read is not an error of the provider.
  if (!("isRetryable" in error)) return { detail: "an event of the stream could not be read" };
  return {
    detail: "the provider reported an error",
    error: { message, type, code: code ?? statusCode ?? null, param: null },
    isTransient: error.isRetryable === true,
  };
}

/** A fault that the gateway finds in a stream, before the SDK reads it. */
export class DisorderlyStream extends Error {}
