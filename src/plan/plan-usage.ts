/** What the calls of a planning model used together. Pure. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { usageToOpenAi } from "../wire/encode-parts.ts";

/** OpenAI's `usage`. */
export interface PlanUsage extends Record<string, unknown> {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export function addUsage(sum: PlanUsage | null, used: LanguageModelV4Usage): PlanUsage {
  const { prompt_tokens, completion_tokens, total_tokens } = usageToOpenAi(used);
  return {
    prompt_tokens: (sum?.prompt_tokens ?? 0) + prompt_tokens,
    completion_tokens: (sum?.completion_tokens ?? 0) + completion_tokens,
    total_tokens: (sum?.total_tokens ?? 0) + total_tokens,
  };
}
