/** A chat's account of tokens as the Responses API gives it. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

/** @returns null where the upstream gave none. */
export function responsesUsage(usage: JsonObject | undefined): JsonObject | null {
  if (!usage) return null;
  const input = countOf(usage.prompt_tokens);
  const output = countOf(usage.completion_tokens);
  const written = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details.cache_write_tokens : undefined;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: detailOf(usage.prompt_tokens_details, "cached_tokens"),
      ...(written === undefined ? {} : { cache_write_tokens: written }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: detailOf(usage.completion_tokens_details, "reasoning_tokens") },
    total_tokens: typeof usage.total_tokens === "number" ? usage.total_tokens : input + output,
  };
}

const countOf = (value: unknown): number => (typeof value === "number" ? value : 0);

const detailOf = (details: unknown, name: string): number => (isObject(details) ? countOf(details[name]) : 0);
