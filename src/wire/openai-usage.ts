/** The AI SDK's account of tokens in OpenAI's form. Pure. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";

interface OpenAiUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Counts that the provider did not give are summed from their parts, or 0. */
export function usageToOpenAi({ inputTokens, outputTokens }: LanguageModelV4Usage): OpenAiUsage {
  const { noCache = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { text = 0, reasoning = 0 } = outputTokens;
  const prompt = inputTokens.total ?? noCache + cacheRead + cacheWrite;
  const completion = outputTokens.total ?? text + reasoning;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
