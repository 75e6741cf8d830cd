/** What is wrong with a provider's stream. Pure. */
import { isObject } from "../../lib/json/json-value.ts";

export interface StreamFault {
  readonly detail: string;
  readonly error?: unknown;
  /** Another attempt may fare better, if nothing was sent yet. */
  readonly isTransient?: boolean;
}

/** An error that the provider sent in its stream. */
export function errorFault(error: unknown): StreamFault {
  if (!isObject(error)) return { detail: "the provider reported an error" };
  const { message, type, code, statusCode } = error;
  // What the SDK could not read is no error of the provider's.
  if (!("isRetryable" in error)) return { detail: "an event of the stream could not be read" };
  return {
    detail: "the provider reported an error",
    error: { message, type, code: code ?? statusCode ?? null, param: null },
    isTransient: error.isRetryable === true,
  };
}

/** What the gateway itself finds wrong with a stream, before the SDK reads it. */
export class DisorderlyStream extends Error {}
