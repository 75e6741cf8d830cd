/**
 * A model with a middleware around it, as the AI SDK's `wrapLanguageModel` makes it. That one comes with all of `ai`, whose
 * schemas are made when it is loaded: a sixth of the time that the Worker took to start.
 */
import type { LanguageModelV4, LanguageModelV4Middleware } from "@ai-sdk/provider";

/** What the SDK takes as a middleware too. */
export type ParamsMiddleware = Required<Pick<LanguageModelV4Middleware, "specificationVersion" | "transformParams">>;

export function wrapModel(model: LanguageModelV4, { transformParams }: ParamsMiddleware): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (params) => model.doGenerate(await transformParams({ type: "generate", params, model })),
    doStream: async (params) => model.doStream(await transformParams({ type: "stream", params, model })),
  };
}
