/** Makes sentence vectors with an external model: any OpenAI-compatible `/embeddings`, or Workers AI. */
import type { EmbeddingSettings } from "../../settings/embeddings.ts";
import { compatibleProvider } from "./compatible-sdk.ts";

interface Embedder {
  /** Names the model and where it runs: vectors of two models cannot be compared. */
  readonly id: string;
  /** One vector for each text, in order. Throws if the model cannot be reached, refuses, or answers with fewer. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** Undefined if the settings name Workers AI and the deployment does not bind it. */
export function embedderOf(
  { baseUrl, ...settings }: EmbeddingSettings,
  ai: WorkersAi | undefined,
  fetcher: typeof fetch,
): Embedder | undefined {
  if (baseUrl !== undefined) return openAiEmbedder({ ...settings, baseUrl }, fetcher);
  return ai && workersAiEmbedder(ai, settings.model);
}

/** Texts of one request: fewer than any server refuses. */
const BATCH = 96;

function openAiEmbedder(
  { baseUrl, apiKey, model }: EmbeddingSettings & { baseUrl: string },
  fetcher: typeof fetch,
): Embedder {
  const settings = {
    name: "embeddings",
    baseURL: baseUrl,
    apiKey,
    // A redirect would carry the key to wherever it points.
    fetch: (input: RequestInfo | URL, init?: RequestInit) => fetcher(input, { ...init, redirect: "manual" }),
  };
  return {
    id: `${baseUrl} ${model}`,
    async embed(texts, signal) {
      const embeddings = (await compatibleProvider(settings)).embeddingModel(model);
      return inBatches(texts, async (values) => (await embeddings.doEmbed({ values, abortSignal: signal })).embeddings);
    },
  };
}

/** The used part of the binding `AI`. */
export interface WorkersAi {
  run(model: string, input: object, options?: object): Promise<unknown>;
}

function workersAiEmbedder(ai: WorkersAi, model: string): Embedder {
  return {
    id: `workers-ai ${model}`,
    embed: (texts, signal) =>
      inBatches(texts, async (text) => {
        signal.throwIfAborted();
        const { data } = (await ai.run(model, { text })) as { readonly data: readonly (readonly number[])[] };
        return data;
      }),
  };
}

async function inBatches(
  texts: readonly string[],
  embed: (batch: string[]) => Promise<readonly (readonly number[])[]>,
): Promise<readonly (readonly number[])[]> {
  const vectors: (readonly number[])[] = [];
  for (let at = 0; at < texts.length; at += BATCH) vectors.push(...(await embed(texts.slice(at, at + BATCH))));
  if (vectors.length !== texts.length) throw new Error(`${vectors.length} vectors came for ${texts.length} texts`);
  return vectors;
}
