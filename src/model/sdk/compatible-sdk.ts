/**
 * The AI SDK's provider for OpenAI-compatible servers, loaded at its first use: loading builds some five hundred schemas, and an isolate
 * that only serves health checks, pages or objects calls no model.
 */
import type { OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";

let sdk: typeof import("@ai-sdk/openai-compatible") | undefined;

/** The module is kept, not its promise, which belongs to one request. */
export async function compatibleProvider(settings: OpenAICompatibleProviderSettings) {
  sdk ??= await import("@ai-sdk/openai-compatible");
  return sdk.createOpenAICompatible(settings);
}

/** A model whose provider is made at its first call. */
export function compatibleModel(settings: OpenAICompatibleProviderSettings, modelId: string): LanguageModelV4 {
  const made = async () => (await compatibleProvider(settings)).chatModel(modelId);
  return {
    specificationVersion: "v4",
    provider: `${settings.name}.chat`,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await made()).doGenerate(options),
    doStream: async (options) => (await made()).doStream(options),
  };
}
