/** A model at the gateway's upstream that the gateway itself asks something, once, with no retry. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ofBoundedLength } from "./bounded-response.ts";
import { headersFor, orderFor, type Upstreams } from "./upstreams.ts";

export interface ModelAsking {
  /** The model that the client named. */
  readonly model?: string | undefined;
  /** Of the client's request: an `authorization` among them is the client's own, and goes to the first upstream alone. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AskedFor {
  /** What the model is asked for, in the SDK's warnings. */
  readonly name: string;
  /** Sent in place of the upstream's model and of the one that the client named. */
  readonly chosen: string | undefined;
  /** Whether an answer's JSON Schema is sent; otherwise only that JSON is wanted. */
  readonly schemas?: boolean;
}

/** Undefined where no model is named. */
export function askedModel(
  upstreams: Upstreams,
  asking: ModelAsking | undefined,
  { name, chosen, schemas }: AskedFor,
): LanguageModelV4 | undefined {
  const given = asking?.headers ?? {};
  const [index = 0] = orderFor(upstreams, given);
  const target = upstreams.targets[index];
  const model = chosen ?? target?.model ?? asking?.model;
  if (target === undefined || model === undefined) return undefined;
  const provider = createOpenAICompatible({
    name,
    baseURL: target.baseUrl,
    headers: headersFor(upstreams, index, given),
    supportsStructuredOutputs: schemas === true,
    // A redirect would carry the key to wherever it points.
    fetch: async (input, init) => ofBoundedLength(await upstreams.fetch(input, { ...init, redirect: "manual" })),
  });
  return provider.chatModel(model);
}
