/**
 * Learns a policy's intents from what the policy says of them. Pure, deterministic: the same intents and word vectors give the same
 * bytes. Takes seconds for hundreds of intents: never in a request of a chat.
 */
import { calibrate } from "./calibrate.ts";
import { createEncoder } from "./encoder.ts";
import { emptyHead, trainHead } from "./linear-head.ts";
import { writeModel } from "./model-bytes.ts";
import { prototypesOf } from "./prototypes.ts";
import { toSamples } from "./samples.ts";
import { type SemanticIntent, trainingTexts } from "./training-texts.ts";
import { heldOutTrials } from "./trials.ts";
import type { WordVectors } from "./vectors.ts";
import { countPieces, toVocabulary } from "./vocabulary.ts";

/** Steps of one training, whatever the number of texts: bounds the time. */
const steps = 30_000;
const rate = 1;

export function trainSemantic(intents: readonly SemanticIntent[], vectors: WordVectors): Uint8Array {
  const texts = trainingTexts(intents);
  const counted = countPieces(texts.map(({ text }) => text));
  const samples = toSamples(texts, createEncoder(toVocabulary(counted), vectors));
  const pieces = counted.hashes.length;
  const epochs = Math.max(4, Math.min(15, Math.round(steps / Math.max(1, samples.length))));
  const calibration = calibrate(heldOutTrials(samples, intents.length, pieces, Math.max(4, epochs >> 1), rate));
  const head = emptyHead(samples, intents.length, vectors.dimensions, pieces);
  trainHead(head, samples, epochs, rate);
  const prototypes = prototypesOf(
    samples.map(({ dense }) => dense),
    samples.map(({ label }) => label),
    intents.length,
  );
  return writeModel({
    names: intents.map(({ name }) => name),
    fingerprint: vectors.fingerprint,
    calibration,
    counted,
    head,
    prototypes,
    sources: prototypes.rows.map((row) => samples[row]?.text ?? ""),
  });
}
