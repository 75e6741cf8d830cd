/**
 * The model that makes plans: at the gateway's upstream. Not every upstream takes a JSON Schema for the answer, or takes any
 * format, or a temperature: one that refuses the request is asked again with less, a bounded number of times.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { askedModel, type ModelAsking } from "./asked-model.ts";
import type { Upstreams } from "./upstreams.ts";

/** @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named. */
export const plannerModel =
  (upstreams: Upstreams, chosen: string | undefined) =>
  (asking: ModelAsking | undefined, again: () => void): LanguageModelV4 | undefined => {
    const formal = askedModel(upstreams, asking, { name: "planner", chosen, schemas: true });
    const plain = askedModel(upstreams, asking, { name: "planner", chosen });
    return formal && plain && yielding(formal, plain, again);
  };

/** @param formal sends the answer's schema, @param plain only that JSON is wanted. @param again called before each way but the first. */
function yielding(formal: LanguageModelV4, plain: LanguageModelV4, again: () => void): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: formal.provider,
    modelId: formal.modelId,
    supportedUrls: formal.supportedUrls,
    doStream: (options) => formal.doStream(options),
    async doGenerate(options) {
      // A strict schema could not hold arguments of any shape.
      const loose = { ...options, providerOptions: { openaiCompatible: { strictJsonSchema: false } } };
      const bare = { ...loose, temperature: undefined, maxOutputTokens: undefined };
      const ways: readonly Way[] = [
        [formal, loose],
        [plain, { ...options, ...(options.responseFormat && { responseFormat: { type: "json" } }) }],
        [plain, { ...options, responseFormat: undefined }],
        // Models that reason refuse a temperature, and count their tokens under another name.
        [formal, bare],
      ];
      return firstTaken(ways, again);
    },
  };
}

type Way = readonly [model: LanguageModelV4, options: LanguageModelV4CallOptions];

async function firstTaken([way, ...others]: readonly Way[], again: () => void): Promise<LanguageModelV4GenerateResult> {
  if (way === undefined) throw new Error("there is no way left to ask");
  try {
    return await way[0].doGenerate(way[1]);
  } catch (error) {
    if (others.length === 0 || !refusesRequest(error)) throw error;
    again();
    return firstTaken(others, again);
  }
}

const refusesRequest = (error: unknown): boolean =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);
