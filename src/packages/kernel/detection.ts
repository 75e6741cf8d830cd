/** Detection in a process: keywords and patterns, and the trained layer from the files of the package, trained here. */
import { createDetector } from "../../intent/detect.ts";
import { modelLayer } from "../../intent/model-layer.ts";
import { trainInPieces } from "../../intent/semantic/train.ts";
import type { TrainingSet } from "../../intent/training-set.ts";
import { runYielding } from "../../lib/concurrency.ts";
import { describeError, log } from "../../lib/log.ts";
import { loadTalk, loadVectors, withShipped } from "../../stores/semantic/assets.ts";
import { builtinKey, builtinSource } from "../../stores/semantic/builtin-source.ts";
import { type BytesKv, readModel, writeModel } from "../../stores/semantic/compiled-models.ts";
import { assetLanguages } from "../../stores/semantic/languages-asset.ts";
import { noEmbeddings, semanticLayer } from "../../stores/semantic/semantic-layer.ts";
import { packageAssets } from "../package-files.ts";
import type { Detection } from "../stores/stores.ts";

export function processDetection(models: BytesKv, now: () => number): Detection {
  const trainer = newTrainer(models);
  const background = (work: Promise<unknown>): void => void work.catch(() => {});
  const builtin = builtinSource({ kv: models, assets: packageAssets, trainerOf: () => trainer, background, now });
  const semantic = semanticLayer({ builtin, embeddings: noEmbeddings });
  const onMissed = (layer: string, why: string, error?: unknown): void =>
    log("debug", "layer_missed", { layer, why, ...(error === undefined ? {} : describeError(error)) });
  const model = modelLayer(() => undefined);
  return { detector: createDetector({ slow: { semantic: semantic.ask, model }, onMissed }), prepare: semantic.prepare };
}

/** One model at a time: training keeps the thread busy. */
function newTrainer(models: BytesKv) {
  const training = new Map<string, Promise<void>>();
  const train = (set: TrainingSet): Promise<void> => {
    const known = training.get(set.digest) ?? makeModel(models, set).finally(() => training.delete(set.digest));
    training.set(set.digest, known);
    return known;
  };
  return {
    train,
    trainSoon: async (set: TrainingSet) => {
      train(set).catch((error) => log("error", "semantic_training_failed", describeError(error)));
    },
  };
}

async function makeModel(models: BytesKv, set: TrainingSet): Promise<void> {
  const vectors = await assetLanguages(packageAssets).load(await loadVectors(packageAssets), set.languages);
  const key = builtinKey(vectors, set);
  const stored = await readModel(withShipped(models, packageAssets), key);
  if (stored?.ok) return;
  const model = await runYielding(trainInPieces(set.intents, vectors, await loadTalk(packageAssets)));
  return writeModel(models, key, model);
}
