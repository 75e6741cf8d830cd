/** The port to a layer that waits for something: for a stored model, or for a provider. */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent } from "./detection.ts";
import type { JudgedSentences } from "./wish/judge-wish.ts";

/** The parts of the client's request that a layer needs to call a model. */
export interface ModelAccess {
  /** The model that the client named, if it named one. */
  readonly model?: string | undefined;
  /** For the upstream, as a step sends them: an `authorization` among them is the client's own. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface LayerRequest {
  readonly policy: CompiledPolicy;
  /** The parts of a message that asks for several things; else the whole message. */
  readonly clauses: readonly string[];
  /** The sentences of clauses that have several. */
  readonly sentences: readonly string[];
  /** The intents that keywords and patterns find, and those that do not count. */
  readonly intents: readonly DetectedIntent[];
  readonly discounted: readonly DetectedIntent[];
  /** Judgements of sentences of the message, shared by all layers and checks. */
  readonly judged?: JudgedSentences;
  /** Words decide: a layer that costs a request need not be called. */
  readonly conclusive: boolean;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  readonly modelAccess?: ModelAccess | undefined;
}

/** `missed`: why the layer cannot answer, as a stable code for the log. An empty list of guesses means *none of these*. */
export type LayerAnswer =
  | { readonly guesses: readonly DetectedIntent[]; readonly selectAt?: number }
  | { readonly missed: "absent" | "unconfigured" | "late" | "failed" | "unreadable" };

/** Never throws, and keeps to a time limit of its own. */
export type SlowLayer = (request: LayerRequest) => Promise<LayerAnswer>;
