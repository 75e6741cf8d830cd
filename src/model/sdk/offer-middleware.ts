/**
 * The one place where an offer is applied to a model: a language model middleware of the AI SDK. Whatever model it wraps, exactly the
 * offer's tools reach it, in the offer's order.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Middleware,
} from "@ai-sdk/provider";
import { isObject } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";

/** @param offered the tools to send, with the handshake tool in its position. */
export function offerMiddleware(offered: readonly ToolDefinition[]): ParamsMiddleware {
  return {
    specificationVersion: "v4",
    transformParams: async ({ params }) => applyOffer(params, offered),
  };
}

function applyOffer(
  params: LanguageModelV4CallOptions,
  offered: readonly ToolDefinition[],
): LanguageModelV4CallOptions {
  if (offered.length === 0) return { ...params, tools: undefined, toolChoice: undefined };
  return { ...params, tools: offered.map(toFunctionTool) };
}

export function toFunctionTool({ name, description, parameters, wire }: ToolDefinition): LanguageModelV4FunctionTool {
  const { cache_control: cacheControl } = isObject(wire) ? wire : {};
  return {
    // Anthropic's mark for its cache.
    ...(isObject(cacheControl) ? { providerOptions: { anthropic: { cacheControl: cacheControl as never } } } : {}),
    type: "function",
    name,
    description,
    // A schema as the client or the policy wrote it; providers read it as JSON Schema.
    inputSchema: (parameters ?? { type: "object", properties: {} }) as LanguageModelV4FunctionTool["inputSchema"],
  };
}

/** The SDK accepts this as a middleware too. */
type ParamsMiddleware = Required<Pick<LanguageModelV4Middleware, "specificationVersion" | "transformParams">>;

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
