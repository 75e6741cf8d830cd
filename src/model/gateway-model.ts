/** A model at the gateway's upstreams for the gateway's own requests: detection and planning. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { compatibleModel } from "./sdk/compatible-sdk.ts";
import { providerModel } from "./sdk/provider-sdk.ts";
import { headersAnywhere, headersFor, orderFor, type RouteTarget, type Upstreams } from "./upstream/upstreams.ts";

export interface ModelRequester {
  /** The model that the client named. */
  readonly model?: string | undefined;
  /** The client's headers. An `authorization` among them is the client's own, and goes to the first upstream only. */
  readonly headers: Readonly<Record<string, string>>;
}

interface ModelPurpose {
  /** The purpose of the call, in the SDK's warnings. */
  readonly name: string;
  /** Sent in place of the upstream's model and of the one that the client named. */
  readonly chosen: string | undefined;
  /** Whether an answer's JSON Schema is sent; otherwise only JSON is requested. */
  readonly schemas?: boolean;
}

/** The upstreams that have a model to ask, in order. */
export const modelHops = (
  upstreams: Upstreams,
  asking: ModelRequester | undefined,
  chosen: string | undefined,
): readonly RouteTarget[] =>
  orderFor(upstreams, asking?.headers ?? {}, chosen ?? asking?.model).filter(
    (hop) => modelNameAt(upstreams, hop, asking, chosen) !== undefined,
  );

const modelNameAt = (
  { targets }: Upstreams,
  { index, model }: RouteTarget,
  asking: ModelRequester | undefined,
  chosen: string | undefined,
): string | undefined => model ?? chosen ?? targets[index]?.model ?? asking?.model;

/**
 * Undefined if no model is named.
 * @param fetcher calls the upstream; the length of its answer must be bounded.
 */
export function modelAt(
  upstreams: Upstreams,
  hop: RouteTarget,
  asking: ModelRequester | undefined,
  { name, chosen, schemas }: ModelPurpose,
  fetcher: typeof fetch,
): LanguageModelV4 | undefined {
  const target = upstreams.targets[hop.index];
  const model = modelNameAt(upstreams, hop, asking, chosen);
  if (target === undefined || model === undefined) return undefined;
  // A redirect would carry the key to wherever it points.
  const ask = (input: RequestInfo | URL, init?: RequestInit) => fetcher(input, { ...init, redirect: "manual" });
  const given = asking?.headers ?? {};
  const { provider, baseUrl: baseURL, apiKey = "none" } = target;
  if (provider && provider.kind !== "openai")
    return withHeaders(providerModel(provider.kind, { baseURL, apiKey, fetch: ask }, model), headersAnywhere(given));
  const settings = {
    name,
    baseURL,
    headers: headersFor(upstreams, hop.index, given),
    supportsStructuredOutputs: schemas === true,
    fetch: ask,
  };
  return compatibleModel(settings, model);
}

const withHeaders = (model: LanguageModelV4, headers: Record<string, string>): LanguageModelV4 => ({
  ...model,
  doGenerate: (options) => model.doGenerate({ ...options, headers: { ...headers, ...options.headers } }),
});

/**
 * @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named.
 * @returns makes the model for one request; that is undefined if no model is named.
 */
export const detectorModel =
  (upstreams: Upstreams, chosen: string | undefined) =>
  (asking: ModelRequester | undefined): LanguageModelV4 | undefined => {
    const [hop] = modelHops(upstreams, asking, chosen);
    return (
      hop &&
      modelAt(upstreams, hop, asking, { name: "detector", chosen }, async (input, init) =>
        ofBoundedLength(await upstreams.fetch(input, init)),
      )
    );
  };

/** A few times the length that a model writes in its granted tokens, with what a provider adds. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The body breaks off with an error if it is longer. */
function ofBoundedLength(response: Response): Response {
  if (!response.body) return response;
  let left = MAX_BYTES;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      left -= bytes.byteLength;
      if (left < 0) controller.error(new Error(`the upstream's answer is longer than ${MAX_BYTES} bytes`));
      else controller.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
