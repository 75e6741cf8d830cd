/**
 * Learns a policy's intents from what the policy says of them. Pure, deterministic: the same intents and word vectors give the same
 * bytes. Takes seconds for hundreds of intents: never in a request of a chat.
 */
import { background } from "./background.ts";
import { calibrate } from "./calibrate.ts";
import { createEncoder, type Encoded } from "./encoder.ts";
import { fitHead } from "./fit-head.ts";
import { writeModel } from "./model-bytes.ts";
import { prototypesOf } from "./prototypes.ts";
import { type TrainingSample, toSamples } from "./samples.ts";
import { type SemanticIntent, trainingTexts } from "./training-texts.ts";
import { heldOutTrials } from "./trials.ts";
import type { WordVectors } from "./vectors.ts";
import { countPieces, toVocabulary } from "./vocabulary.ts";

/** Steps of one training, at most (but for three rounds of very many texts) and at least. */
const steps = 24_000;
const fewest = 7000;

export function trainSemantic(intents: readonly SemanticIntent[], vectors: WordVectors): Uint8Array {
  const texts = trainingTexts(intents);
  const counted = countPieces(texts.map(({ text }) => text));
  const encode = createEncoder(toVocabulary(counted), vectors);
  const own = toSamples(texts, encode);
  const samples = [...own, ...outsideOf(own, encode, intents.length)];
  const pieces = counted.hashes.length;
  const epochs = epochsFor(samples.length);
  const training = { intents: intents.length, dimensions: vectors.dimensions, pieces, epochs };
  const calibration = calibrate(heldOutTrials(samples, { ...training, epochs: Math.max(3, epochs >> 1) }));
  const head = fitHead(samples, training);
  const prototypes = prototypesOf(own, intents.length);
  return writeModel({
    names: intents.map(({ name }) => name),
    fingerprint: vectors.fingerprint,
    calibration,
    counted,
    head,
    prototypes,
    sources: prototypes.rows.map((row) => own[row]?.text ?? ""),
  });
}

/** Few texts are gone over more often, for the background's are a hundred whatever the policy's are; many less often. */
const epochsFor = (texts: number): number =>
  Math.round(Math.max(3, Math.min(15, steps / Math.max(1, texts)), Math.min(60, fewest / Math.max(1, texts))));

/** Above this cosine a background text may be what an intent is about. */
const tooNear = 0.6;

function outsideOf(own: readonly TrainingSample[], encode: (text: string) => Encoded, label: number): TrainingSample[] {
  const texts = background.map((text) => ({ text, label }));
  return toSamples(texts, encode).filter(({ dense }) => own.every((sample) => cosine(sample.dense, dense) < tooNear));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
