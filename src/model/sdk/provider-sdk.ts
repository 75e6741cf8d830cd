/**
 * The AI SDK's providers that have a protocol of their own. Each is loaded at its first use: a gateway that only has
 * OpenAI-compatible upstreams pays for none of them.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderKind } from "../upstream/upstreams.ts";

export type SdkKind = Exclude<ProviderKind, "openai">;

export interface ProviderSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

let anthropic: typeof import("@ai-sdk/anthropic") | undefined;
let google: typeof import("@ai-sdk/google") | undefined;

/** The modules are kept, not their promises, which are one request's. */
export async function providerModel(
  kind: SdkKind,
  settings: ProviderSettings,
  modelId: string,
): Promise<LanguageModelV4> {
  switch (kind) {
    case "anthropic":
      anthropic ??= await import("@ai-sdk/anthropic");
      return anthropic.createAnthropic(settings)(modelId);
    case "google":
      google ??= await import("@ai-sdk/google");
      return google.createGoogle(settings)(modelId);
  }
}
