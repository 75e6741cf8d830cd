/** The model of a policy's layer `semantic`, trained here: where a policy is put into KV past a gateway's admin API. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Talk } from "../../intent/semantic/background.ts";
import { trainInPieces } from "../../intent/semantic/train.ts";
import type { WordVectors } from "../../intent/semantic/vectors.ts";
import { type TrainingSet, trainingSetOf } from "../../intent/training-set.ts";
import { runYielding } from "../../lib/concurrency.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { mustReadVectors, readTalk, shippedFile, TALK_ASSET, VECTORS_ASSET } from "../../stores/semantic/assets.ts";
import { builtinKey } from "../../stores/semantic/builtin-source.ts";
import { sealModel } from "../../stores/semantic/compiled-models.ts";
import { languageLoader } from "../../stores/semantic/languages-asset.ts";
import { root } from "../settings.ts";
import { cacheModel, readCachedModel } from "./model-cache.ts";

export interface TrainedModel {
  readonly key: string;
  readonly value: Uint8Array<ArrayBuffer>;
}

/**
 * Undefined where the policy has no such layer, takes its vectors from somebody else (then the gateway trains it), or where its model
 * ships with the gateway.
 */
export async function trainedModel(policy: CompiledPolicy): Promise<TrainedModel | undefined> {
  const set = builtinSetOf(policy);
  if (set === undefined) return undefined;
  const { vectors, talk } = await trainingAssets(set.languages);
  const key = builtinKey(vectors, set);
  if (existsSync(join(root, "assets", shippedFile(key)))) return undefined;
  const cached = readCachedModel(key);
  if (cached) return { key, value: cached };
  // The loop that reads connections goes on meanwhile: one that its server has closed would be used again.
  const model = await runYielding(trainInPieces(set.intents, vectors, talk));
  const value = sealModel(model);
  cacheModel(key, value);
  return { key, value };
}

/** Under which key `trainedModel` is found. */
export async function keyOfModel(policy: CompiledPolicy): Promise<string | undefined> {
  const set = builtinSetOf(policy);
  return set && builtinKey((await trainingAssets(set.languages)).vectors, set);
}

const builtinSetOf = (policy: CompiledPolicy): TrainingSet | undefined =>
  policy.detection.semantic.source === "builtin" ? trainingSetOf(policy) : undefined;

/** What training reads, from the project's folder `assets`. */
export async function trainingAssets(
  languages: TrainingSet["languages"],
): Promise<{ readonly vectors: WordVectors; readonly talk: Talk }> {
  const read = (file: string) => new Uint8Array(readFileSync(join(root, "assets", file))).buffer;
  const loader = languageLoader(async (file) => (existsSync(join(root, "assets", file)) ? read(file) : undefined));
  const vectors = await loader.load(mustReadVectors(read(VECTORS_ASSET)), languages);
  return { vectors, talk: readTalk(read(TALK_ASSET)) };
}
