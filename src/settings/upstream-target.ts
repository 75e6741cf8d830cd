/** The upstreams as values: what their settings are read into. */

/** Represents the binding of Workers AI; no name in `.invalid` is ever resolved. */
export const WORKERS_AI_URL = "https://workers-ai.invalid/v1";

/** The protocol that a provider speaks. `openai`: chat completions, relayed as they come; `responses` (OpenAI's other API) and the others go through the AI SDK. */
export type ProviderKind = "openai" | "responses" | "anthropic" | "google";

export interface UpstreamTarget {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Sent in place of the client's `model`. */
  readonly model?: string;
  /** Only models whose name begins with the provider's and a slash go there; absent: any other model. */
  readonly provider?: { readonly name: string; readonly kind: ProviderKind };
}

export interface TimeLimits {
  /** Until the headers of a streamed answer. */
  readonly connectMs: number;
  /** From the request to the first event of a stream, or to the headers of a JSON answer. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
}

export const DEFAULT_LIMITS: TimeLimits = { connectMs: 120_000, firstByteMs: 300_000, idleMs: 120_000 };
