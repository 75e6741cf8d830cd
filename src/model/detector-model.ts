/** The model that the layer `model` asks: at the gateway's upstream, once, with no retry. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { headersFor, orderFor, type Upstreams } from "./upstreams.ts";

export interface DetectorModelAsking {
  readonly model?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named.
 * @returns what makes the model for one request; undefined from it where no model is named.
 */
export function detectorModel(
  upstreams: Upstreams,
  chosen: string | undefined,
): (asking: DetectorModelAsking | undefined) => LanguageModelV4 | undefined {
  return (asking) => {
    const given = asking?.headers ?? {};
    const [index = 0] = orderFor(upstreams, given);
    const target = upstreams.targets[index];
    const name = chosen ?? target?.model ?? asking?.model;
    if (target === undefined || name === undefined) return undefined;
    const provider = createOpenAICompatible({
      name: "detector",
      baseURL: target.baseUrl,
      headers: headersFor(upstreams, index, given),
      // A redirect would carry the key to wherever it points.
      fetch: (input, init) => upstreams.fetch(input, { ...init, redirect: "manual" }),
    });
    return provider.chatModel(name);
  };
}
