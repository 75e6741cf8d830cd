import { expect, test } from "vitest";
import { usageToOpenAi } from "../../src/wire/openai-usage.ts";

test("usage is OpenAI's, a missing total the sum of its parts", () => {
  const outputTokens = { total: 7, text: 5, reasoning: 2 };
  const inputTokens = { total: undefined, noCache: 3, cacheRead: 4, cacheWrite: 1 };
  expect(usageToOpenAi({ inputTokens, outputTokens })).toEqual({
    prompt_tokens: 8,
    completion_tokens: 7,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  });
});
