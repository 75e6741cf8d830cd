/** The layer `semantic` of every policy: picks its source, and limits how long a turn waits for it, as the policy sets. */
import type { LayerAnswer, LayerRequest, SlowLayer } from "../../intent/slow-layer.ts";
import { type TrainingSet, trainingSetOf } from "../../intent/training-set.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";

export interface SemanticSource {
  /** Why it cannot work with the gateway's settings, for the operator whose policy uses it. */
  readonly problem: () => string | undefined;
  /** Never throws. Not a promise if there is nothing to wait for. */
  readonly ask: (set: TrainingSet, question: LayerRequest) => LayerAnswer | Promise<LayerAnswer>;
  /** Has the model trained and stored. Throws if that fails. */
  readonly prepare: (set: TrainingSet) => Promise<void>;
}

/** If the settings name no embedding model. */
export const noEmbeddings: SemanticSource = {
  problem: () => "the gateway has no embedding model: set EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL",
  ask: async () => ({ missed: "unconfigured" }),
  prepare: () => Promise.reject(new Error("there is no embedding model")),
};

/** The state of one policy's layer. `none`: the policy does not have it, or nothing that it could learn from. */
export type Readiness =
  | { readonly kind: "none" }
  | { readonly kind: "stored" | "possible" }
  | { readonly kind: "unavailable"; readonly why: string };

export interface SemanticLayer {
  readonly ask: SlowLayer;
  /** Whether the gateway's settings let it be trained. Trains and stores nothing. */
  readonly outlook: (policy: CompiledPolicy) => Readiness;
  /** Trains and stores what the policy needs, if it is missing. Never throws. */
  readonly prepare: (policy: CompiledPolicy) => Promise<Readiness>;
}

/** With a margin to the 30 s that the terminal program waits for an answer. */
const PREPARE_WITHIN_MS = 26_000;

/** @param sources by a policy's `detection.semantic.source`. */
export function semanticLayer(sources: Readonly<Record<"builtin" | "embeddings", SemanticSource>>): SemanticLayer {
  const sourceOf = ({ detection }: CompiledPolicy) => sources[detection.semantic.source];

  const outlook = (policy: CompiledPolicy): Readiness => {
    if (trainingSetOf(policy) === undefined) return { kind: "none" };
    const why = sourceOf(policy).problem();
    return why === undefined ? { kind: "possible" } : { kind: "unavailable", why };
  };

  return {
    async ask(question) {
      const set = trainingSetOf(question.policy);
      // Without two intents there is nothing to distinguish.
      if (set === undefined) return { guesses: [] };
      const source = sourceOf(question.policy);
      if (source.problem() !== undefined) return { missed: "unconfigured" };
      const { timeoutMs } = question.policy.detection.semantic;
      const answer = source.ask(set, question);
      if (!(answer instanceof Promise)) return answer;
      return withTimeout(timeoutMs, answer).catch((): LayerAnswer => ({ missed: "late" }));
    },
    outlook,
    async prepare(policy) {
      const set = trainingSetOf(policy);
      const seen = outlook(policy);
      if (set === undefined || seen.kind !== "possible") return seen;
      try {
        await withTimeout(PREPARE_WITHIN_MS, sourceOf(policy).prepare(set));
        return { kind: "stored" };
      } catch (error) {
        log("error", "semantic_training_failed", { policy: policy.version, ...describeError(error) });
        return { kind: "unavailable", why: "training failed; the log says why" };
      }
    },
  };
}
