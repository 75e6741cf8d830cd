/** Which of a policy's intents a message is about, by its meaning. Pure; never throws on any text. */
import { ok, type Result } from "../../lib/result.ts";
import type { DetectedIntent } from "../detection.ts";
import { confidenceOf } from "./calibration.ts";
import { createEncoder } from "./encoder.ts";
import { guesses } from "./signals.ts";
import { readModel, type TrainedModel } from "./trained-model.ts";
import type { WordVectors } from "./vectors.ts";

export interface SemanticModel {
  /** At most about 2 % of the guesses with at least this confidence are wrong, by the trials of training. */
  readonly selectAt: number;
  /** Best first; confidence is the probability that the intent is the one meant. Empty: none of these. */
  classify(text: string): readonly DetectedIntent[];
}

const maxGuesses = 3;
const minConfidence = 0.01;

export function readSemantic(bytes: Uint8Array, vectors: WordVectors): Result<SemanticModel, string> {
  const read = readModel(bytes, vectors.fingerprint);
  return read.ok ? ok(modelOf(read.value, vectors)) : read;
}

function modelOf(model: TrainedModel, vectors: WordVectors): SemanticModel {
  const encode = createEncoder(model.vocabulary, vectors);
  return {
    selectAt: model.selectAt,
    classify(text) {
      const encoded = encode(text);
      if (encoded.pieces.length === 0 && encoded.known === 0) return [];
      const found: DetectedIntent[] = [];
      let left = 1;
      for (const { intent, signals, nearest } of guesses(model, encoded)) {
        // Only one intent is meant: what one has of the probability, the others do not.
        const confidence = Math.min(confidenceOf(model.calibration, signals), left);
        left = Math.min(confidence, left - confidence);
        if (confidence < minConfidence) break;
        const evidence = [{ layer: "semantic", source: nearest, text: "", at: 0 }] as const;
        found.push({ name: model.names[intent] ?? "", confidence, layer: "semantic", evidence });
        if (found.length === maxGuesses || left < minConfidence) break;
      }
      return found;
    },
  };
}
