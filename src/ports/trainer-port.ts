/** What is asked of the object that trains models for the layer `semantic`. Asking twice does no harm. */
import type { TrainingSet } from "../intent/training-set.ts";

export interface TrainerPort {
  /** Done when the model is in KV. Throws where it could not be made or stored. */
  train(set: TrainingSet): Promise<void>;
  /** Takes the order, and trains when nobody waits; tries again where that fails. */
  trainSoon(set: TrainingSet): Promise<void>;
}
