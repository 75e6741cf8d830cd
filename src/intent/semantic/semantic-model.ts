/** Tells which of a policy's intents a message is about, by what it means. Pure but for scratch space; never throws on any text. */
import { ok, type Result } from "../../lib/result.ts";
import type { DetectedIntent } from "../detection.ts";
import { createEncoder } from "./encoder.ts";
import { score, sharedWith } from "./linear-head.ts";
import type { TrainedModel } from "./model-bytes.ts";
import { nearestPrototype } from "./prototypes.ts";
import { readModel } from "./read-model.ts";
import { confidenceOf, fieldOf, signalsOf } from "./signals.ts";
import { guessOf } from "./trials.ts";
import type { WordVectors } from "./vectors.ts";
import { toVocabulary } from "./vocabulary.ts";

export interface SemanticModel {
  /** Best first; confidence is the probability that the intent is the one meant. Empty: none of these. */
  classify(text: string): readonly DetectedIntent[];
}

/** Guesses that are told, and the confidence below which they are not. */
const most = 3;
const least = 0.001;

export function readSemantic(bytes: Uint8Array, vectors: WordVectors): Result<SemanticModel, string> {
  const read = readModel(bytes, vectors.fingerprint);
  return read.ok ? ok(modelOf(read.value, vectors)) : read;
}

function modelOf(model: TrainedModel, vectors: WordVectors): SemanticModel {
  const { names, head, prototypes, sources, calibration } = model;
  const encode = createEncoder(toVocabulary(model.counted), vectors);
  const scores = new Float32Array(head.classes);

  const classify = (text: string): readonly DetectedIntent[] => {
    const encoded = encode(text);
    if (names.length === 0 || (encoded.count === 0 && encoded.known === 0)) return [];
    score(head, encoded, encoded.count, scores);
    const field = fieldOf(scores);
    const left = scores.slice();
    const found: DetectedIntent[] = [];
    let room = 1;
    for (let i = 0; i < Math.min(most, names.length); i++) {
      const guess = guessOf(left, names.length);
      left[guess] = Number.NEGATIVE_INFINITY;
      const [row, nearest] = nearestPrototype(prototypes, guess, encoded.dense);
      const shared = sharedWith(head, encoded, encoded.count, guess);
      const signals = signalsOf(scores[guess] as number, field, { ...encoded, nearest, shared });
      // Only one is meant: what one has, the others cannot have.
      const confidence = Math.min(confidenceOf(calibration, signals), room);
      room = Math.min(confidence, room - confidence);
      if (confidence < least) break;
      const evidence = [{ layer: "semantic", source: sources[row] ?? "", text: "", at: 0 }] as const;
      found.push({ name: names[guess] ?? "", confidence, layer: "semantic", evidence });
    }
    return found;
  };
  return { classify };
}
