/**
 * The AI SDK's providers that have a protocol of their own. Each is loaded at its first use, so that a gateway with only OpenAI-compatible
 * upstreams loads none of them.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderKind } from "../../settings/upstream-target.ts";
import { UnsupportedRequest } from "./unsupported-request.ts";

export type SdkKind = Exclude<ProviderKind, "openai">;

interface ProviderSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

let anthropic: typeof import("@ai-sdk/anthropic") | undefined;
let google: typeof import("@ai-sdk/google") | undefined;
let openai: typeof import("@ai-sdk/openai") | undefined;

/** A model whose provider is made at its first call. */
export function providerModel(kind: SdkKind, settings: ProviderSettings, modelId: string): LanguageModelV4 {
  const made = () => loadModel(kind, settings, modelId);
  return {
    specificationVersion: "v4",
    provider: `${kind}.chat`,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await made()).doGenerate(options),
    doStream: async (options) => (await made()).doStream(options),
  };
}

/** Google has it in the path: `../files` would reach any path of the provider with the gateway's key. */
const PATH_NAME = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

async function loadModel(kind: SdkKind, settings: ProviderSettings, modelId: string): Promise<LanguageModelV4> {
  if (kind === "google" && !PATH_NAME.test(modelId))
    throw new UnsupportedRequest("`model` must be letters, digits, `-`, `_`, `.` and `/` for this provider", "model");
  return (await loadProvider(kind))(settings)(modelId);
}

/** The modules are kept, not their promises, which belong to one request. */
export async function loadProvider(
  kind: SdkKind,
): Promise<(settings: ProviderSettings) => (modelId: string) => LanguageModelV4> {
  if (kind === "responses") {
    openai ??= await import("@ai-sdk/openai");
    const { createOpenAI } = openai;
    return (settings) => (modelId) => createOpenAI(settings).responses(modelId);
  }
  if (kind === "google") {
    google ??= await import("@ai-sdk/google");
    return google.createGoogle;
  }
  anthropic ??= await import("@ai-sdk/anthropic");
  return anthropic.createAnthropic;
}
