/** Trains the model of a policy's layer `semantic` in this program, for policies that are put into KV past a gateway's admin API. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Talk } from "../../intent/semantic/background.ts";
import { trainInPieces } from "../../intent/semantic/train.ts";
import type { WordVectors } from "../../intent/semantic/vectors.ts";
import { type TrainingSet, trainingSetOf } from "../../intent/training-set.ts";
import { runYielding } from "../../lib/concurrency.ts";
import { once } from "../../lib/once.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { mustReadVectors, readTalk, shippedFile, TALK_ASSET, VECTORS_ASSET } from "../../stores/semantic/assets.ts";
import { builtinKey } from "../../stores/semantic/builtin-source.ts";
import { sealModel } from "../../stores/semantic/compiled-models.ts";
import { languageLoader } from "../../stores/semantic/languages-asset.ts";
import { root } from "../settings.ts";

export interface TrainedModel {
  readonly key: string;
  readonly value: Uint8Array<ArrayBuffer>;
}

/**
 * Undefined if the policy has no such layer, takes its vectors from a provider (then the gateway trains it), or if its model ships with
 * the gateway.
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

/** The key of the model of `trainedModel`. */
export async function keyOfModel(policy: CompiledPolicy): Promise<string | undefined> {
  const set = builtinSetOf(policy);
  return set && builtinKey((await trainingAssets(set.languages)).vectors, set);
}

const builtinSetOf = (policy: CompiledPolicy): TrainingSet | undefined =>
  policy.detection.semantic.source === "builtin" ? trainingSetOf(policy) : undefined;

/** The inputs of training, from the project's folder `assets`. */
export async function trainingAssets(
  languages: TrainingSet["languages"],
): Promise<{ readonly vectors: WordVectors; readonly talk: Talk }> {
  const read = (file: string) => new Uint8Array(readFileSync(join(root, "assets", file))).buffer;
  const loader = languageLoader(async (file) => (existsSync(join(root, "assets", file)) ? read(file) : undefined));
  const vectors = await loader.load(mustReadVectors(read(VECTORS_ASSET)), languages);
  return { vectors, talk: readTalk(read(TALK_ASSET)) };
}

// Trained models on this machine's disk: a policy of 20 intents takes 3.5 s to train and 10 ms to read from here. A file is named after
// what its model was trained from: the policy's words, the vectors, and the code that trains.
const kept = join(root, "node_modules/.cache/toolgate/models");
/** The oldest of more are removed. */
const KEPT = 24;

/** @param key of the model, as the gateway's stores have it. */
function readCachedModel(key: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(fileOf(key)));
  } catch {
    return undefined;
  }
}

/** A folder that cannot be written to only costs time. */
function cacheModel(key: string, value: Uint8Array): void {
  try {
    mkdirSync(kept, { recursive: true });
    const fresh = `${fileOf(key)}.${process.pid}.new`;
    writeFileSync(fresh, value);
    renameSync(fresh, fileOf(key));
    const byAge = readdirSync(kept)
      .map((name) => ({ path: join(kept, name), at: statSync(join(kept, name)).mtimeMs }))
      .sort((one, other) => other.at - one.at);
    for (const { path } of byAge.slice(KEPT)) rmSync(path, { force: true });
  } catch {
    // Trained again next time.
  }
}

const fileOf = (key: string): string =>
  join(kept, `${createHash("sha256").update(`${key}\n${codeDigest()}`).digest("hex").slice(0, 40)}.model`);

/** Folders whose code decides what a model becomes. */
const TRAINERS = ["src/intent", "src/lib", "src/stores/semantic"];

/** A published package has no sources: there the version decides. */
const codeDigest = once((): string => {
  const hash = createHash("sha256").update(readFileSync(join(root, "assets", TALK_ASSET)));
  for (const folder of TRAINERS.map((name) => join(root, name)).filter((name) => existsSync(name)))
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (file.endsWith(".ts")) hash.update(readFileSync(join(folder, file)));
  return hash.update(readFileSync(join(root, "package.json"))).digest("hex");
});
