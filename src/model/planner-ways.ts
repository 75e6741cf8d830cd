/**
 * The ways to ask for a plan: not every upstream takes a JSON Schema for the answer, or takes any format, or a temperature. One
 * that refuses the request is asked again with less, and which way it took is remembered, for each of its models, in the isolate.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";

/** The way that was taken last, by upstream and model, where it was not the first. */
export type TakenWays = Map<string, { readonly way: number; readonly until: number }>;

/** A refusal may have been of one plan's tools alone: after so long the first way is tried again. */
const REMEMBER_MS = 3600_000;
/** Clients may name any model. */
const MAX_REMEMBERED = 100;

type Way = (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;

// A strict schema could not hold arguments of any shape.
const loose: Way = (options) => ({ ...options, providerOptions: { openaiCompatible: { strictJsonSchema: false } } });

const WAYS: readonly Way[] = [
  loose,
  (options) => ({ ...options, ...(options.responseFormat && { responseFormat: { type: "json" } }) }),
  (options) => ({ ...options, responseFormat: undefined }),
  // Models that reason refuse a temperature, and count their tokens under another name.
  (options) => ({ ...loose(options), temperature: undefined, maxOutputTokens: undefined }),
];

/** @param count called before each request. Rejects with the last refusal where no way is taken. */
export async function askInWays(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  { taken, key, now, count }: { taken: TakenWays; key: string; now: number; count: () => void },
): Promise<LanguageModelV4GenerateResult> {
  const known = taken.get(key);
  const first = known && known.until > now ? known.way : 0;
  let refusal: unknown;
  for (const way of [first, ...[...WAYS.keys()].filter((one) => one !== first)]) {
    count();
    try {
      const result = await model.doGenerate((WAYS[way] ?? loose)(options));
      if (way !== first || first === 0) remember(taken, key, way, now);
      return result;
    } catch (error) {
      if (!refusesRequest(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

const refusesRequest = (error: unknown): boolean =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);

/** The newest stands last. */
function remember(taken: TakenWays, key: string, way: number, now: number): void {
  taken.delete(key);
  if (way === 0) return;
  const [oldest] = taken.keys();
  if (oldest !== undefined && taken.size >= MAX_REMEMBERED) taken.delete(oldest);
  taken.set(key, { way, until: now + REMEMBER_MS });
}
