/** The layer `semantic` of every policy: picks its source, and sees that no turn waits longer for it than the policy says. */
import type { Answer, SlowLayer } from "../../intent/slow-layer.ts";
import { trainingSetOf } from "../../intent/training-set.ts";
import { within } from "../../lib/deadline.ts";
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { SemanticSource } from "./source.ts";

/** Of one policy's layer. `none`: the policy does not have it, or nothing that it could learn from. */
export type Readiness =
  | { readonly kind: "none" }
  | { readonly kind: "stored" | "possible" }
  | { readonly kind: "unavailable"; readonly why: string };

export interface SemanticLayer {
  readonly ask: SlowLayer;
  /** Whether the gateway's settings let it be trained. Trains and stores nothing. */
  readonly outlook: (policy: CompiledPolicy) => Readiness;
  /** Trains and stores what the policy needs, where that is not there yet. Never throws. */
  readonly prepare: (policy: CompiledPolicy) => Promise<Readiness>;
}

/** With a margin to the 30 s that the terminal program waits for an answer. */
const PREPARE_WITHIN_MS = 26_000;

/** @param sources of a policy's `detection.semantic.source`. */
export function semanticLayer(sources: Readonly<Record<"builtin" | "embeddings", SemanticSource>>): SemanticLayer {
  const sourceOf = ({ detection }: CompiledPolicy) => sources[detection.semantic.source];

  const outlook = (policy: CompiledPolicy): Readiness => {
    if (trainingSetOf(policy) === undefined) return { kind: "none" };
    const why = sourceOf(policy).problem();
    return why === undefined ? { kind: "possible" } : { kind: "unavailable", why };
  };

  return {
    ask(question) {
      const set = trainingSetOf(question.policy);
      // Nothing to tell apart: no message is more like one intent than like another.
      if (set === undefined) return { guesses: [] };
      const source = sourceOf(question.policy);
      if (source.problem() !== undefined) return { missed: "unconfigured" };
      return askWithin(question.policy.detection.semantic.timeoutMs, source.ask(set, question));
    },
    outlook,
    async prepare(policy) {
      const set = trainingSetOf(policy);
      const seen = outlook(policy);
      if (set === undefined || seen.kind !== "possible") return seen;
      try {
        await within(PREPARE_WITHIN_MS, sourceOf(policy).prepare(set));
        return { kind: "stored" };
      } catch (error) {
        log("error", "semantic_training_failed", { policy: policy.version, ...describeError(error) });
        return { kind: "unavailable", why: "training failed; the log says why" };
      }
    },
  };
}

/** No timer where the answer is there at once. */
function askWithin(ms: number, answer: Answer | Promise<Answer>): Answer | Promise<Answer> {
  return answer instanceof Promise ? within(ms, answer).catch((): Answer => ({ missed: "late" })) : answer;
}
