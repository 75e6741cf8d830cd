/** The port to a layer that may have to wait: for what was compiled, or for a model. */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent } from "./detection.ts";

/** What a layer that asks a model must know of the request that it is asked for. */
export interface Asking {
  /** The model that the client named, if it named one. */
  readonly model?: string | undefined;
  /** For the upstream, as a step sends them: an `authorization` among them is the client's own. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Question {
  readonly policy: CompiledPolicy;
  /** The parts of the user's message, one of them where it is no enumeration. */
  readonly clauses: readonly string[];
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  readonly asking?: Asking;
}

/** `missed`: why the layer cannot answer, as a stable code for the log. No guesses: it says *none of these*. */
export type Answer =
  | { readonly guesses: readonly DetectedIntent[] }
  | { readonly missed: "absent" | "unconfigured" | "late" | "failed" | "unreadable" };

/** Never throws and keeps to a time limit of its own. Answers at once, not with a promise, where it need not wait. */
export type SlowLayer = (question: Question) => Answer | Promise<Answer>;
