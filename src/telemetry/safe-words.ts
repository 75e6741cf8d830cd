/** Reduces untrusted values to codes and numbers, so that no text of a user, model or upstream gets into telemetry. Pure. */

import { isObject } from "../lib/json/json-value.ts";
import { describeError, log } from "../lib/log.ts";
import type { UsageFacts } from "./request-facts.ts";

/** Names that clients choose (models, tools, sessions) are logged in full up to this length. */
const MAX_NAME = 128;

export const shortName = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

/** An id that the gateway made; an upstream's may hold anything. */
export const ownId = (id: string | undefined): string | undefined =>
  id !== undefined && /^[a-z]{3,5}_[0-9a-z]{26}$/.test(id) ? id : undefined;

/** An error's code or a finish reason as providers spell them; anything else becomes `other`. */
export function codeWord(word: unknown): string | undefined {
  if (word === undefined || word === null) return undefined;
  return typeof word === "string" && /^[a-z][a-z_-]{0,39}$/.test(word) ? word : "other";
}

/** The token counts in the upstream's `usage`, whatever else it holds. */
export function usageFacts(usage: unknown): UsageFacts | undefined {
  if (!isObject(usage)) return undefined;
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const [input, output, cached] = [usage.prompt_tokens, usage.completion_tokens, details.cached_tokens].map(count);
  return { input, output, cached };
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** What `report` returns; undefined if it throws, which is logged. */
export function safely<T>(report: () => T): T | undefined {
  try {
    return report();
  } catch (error) {
    log("error", "telemetry_failed", describeError(error));
    return undefined;
  }
}
