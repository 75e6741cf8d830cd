/** A model at one of the gateway's upstreams that the gateway itself asks something. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { compatibleModel } from "./sdk/compatible-sdk.ts";
import { headersFor, orderFor, type Upstreams } from "./upstream/upstreams.ts";

export interface ModelRequester {
  /** The model that the client named. */
  readonly model?: string | undefined;
  /** Of the client's request: an `authorization` among them is the client's own, and goes to the first upstream alone. */
  readonly headers: Readonly<Record<string, string>>;
}

interface ModelPurpose {
  /** What the model is asked for, in the SDK's warnings. */
  readonly name: string;
  /** Sent in place of the upstream's model and of the one that the client named. */
  readonly chosen: string | undefined;
  /** Whether an answer's JSON Schema is sent; otherwise only that JSON is wanted. */
  readonly schemas?: boolean;
}

/** The name of the model at that upstream; undefined where none is named. */
export const modelNameAt = (
  { targets }: Upstreams,
  index: number,
  asking: ModelRequester | undefined,
  chosen: string | undefined,
): string | undefined => chosen ?? targets[index]?.model ?? asking?.model;

/**
 * Undefined where no model is named.
 * @param fetcher asks the upstream; of its answer no more may be read than is bounded.
 */
export function modelAt(
  upstreams: Upstreams,
  index: number,
  asking: ModelRequester | undefined,
  { name, chosen, schemas }: ModelPurpose,
  fetcher: typeof fetch,
): LanguageModelV4 | undefined {
  const target = upstreams.targets[index];
  const model = modelNameAt(upstreams, index, asking, chosen);
  if (target === undefined || model === undefined) return undefined;
  const settings = {
    name,
    baseURL: target.baseUrl,
    headers: headersFor(upstreams, index, asking?.headers ?? {}),
    supportsStructuredOutputs: schemas === true,
    // A redirect would carry the key to wherever it points.
    fetch: (input: RequestInfo | URL, init?: RequestInit) => fetcher(input, { ...init, redirect: "manual" }),
  };
  return compatibleModel(settings, model);
}

/**
 * @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named.
 * @returns what makes the model for one request; undefined from it where no model is named.
 */
export const detectorModel =
  (upstreams: Upstreams, chosen: string | undefined) =>
  (asking: ModelRequester | undefined): LanguageModelV4 | undefined => {
    const [{ index } = { index: 0 }] = orderFor(upstreams, asking?.headers ?? {});
    return modelAt(upstreams, index, asking, { name: "detector", chosen }, async (input, init) =>
      ofBoundedLength(await upstreams.fetch(input, init)),
    );
  };

/** Some times what a model writes in the tokens that it is granted, and what a provider adds to it. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Its body breaks off with an error where it is longer. */
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
