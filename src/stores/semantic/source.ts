/** The two sources of the layer `semantic`, and what is asked of either. */
import type { Answer, Question } from "../../intent/slow-layer.ts";
import type { TrainingSet } from "../../intent/training-set.ts";

export interface SemanticSource {
  /** What keeps it from working with the gateway's settings; told to the operator whose policy asks for it. */
  readonly problem: () => string | undefined;
  /** Never throws. Answers at once where nothing must be waited for. */
  readonly ask: (set: TrainingSet, question: Question) => Answer | Promise<Answer>;
  /** Has the model trained and stored. Throws where that fails. */
  readonly prepare: (set: TrainingSet) => Promise<void>;
}

/** Where the settings name no embedding model. */
export const noEmbeddings: SemanticSource = {
  problem: () => "the gateway has no embedding model: set EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL",
  ask: () => ({ missed: "unconfigured" }),
  prepare: () => Promise.reject(new Error("there is no embedding model")),
};
