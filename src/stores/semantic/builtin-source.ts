/** The layer `semantic` from the gateway's assets: its word vectors, and a model that the trainer object makes. */
import { answerOf, readSemantic, type SemanticModel } from "../../intent/semantic/semantic-model.ts";
import { SEMANTIC_FORMAT } from "../../intent/semantic/trained-model.ts";
import type { WordVectors } from "../../intent/semantic/vectors.ts";
import type { LayerAnswer, LayerRequest } from "../../intent/slow-layer.ts";
import type { TrainingSet } from "../../intent/training-set.ts";
import { describeError, log } from "../../lib/log.ts";
import { type Assets, loadVectors, withShipped } from "./assets.ts";
import { type BytesKv, type CompiledModels, compiledModels, modelKey } from "./compiled-models.ts";
import { assetLanguages } from "./languages-asset.ts";
import type { SemanticSource } from "./semantic-layer.ts";

export interface TrainerPort {
  /** Done when the model is in KV. Throws if it could not be made or stored. */
  train(set: TrainingSet): Promise<void>;
  /** Takes the order, and trains when no request waits; tries again if that fails. */
  trainSoon(set: TrainingSet): Promise<void>;
}

interface BuiltinSourceDeps {
  readonly kv: Pick<BytesKv, "get">;
  readonly assets: Assets | undefined;
  readonly trainerOf: (set: TrainingSet) => TrainerPort;
  /** Keeps the worker alive for work that no reply waits for. */
  readonly background: (work: Promise<unknown>) => void;
  readonly now: () => number;
}

export const builtinKey = (vectors: WordVectors, set: TrainingSet): string =>
  modelKey(
    `builtin-${SEMANTIC_FORMAT}`,
    `vectors ${vectors.rows} ${vectors.dimensions} ${vectors.fingerprint}`,
    set.digest,
  );

/** How long to wait before vectors that failed to load are loaded again. */
const RETRY_MS = 5_000;

export function builtinSource(deps: BuiltinSourceDeps): SemanticSource {
  const languages = assetLanguages(deps.assets);
  let vectors: WordVectors | undefined;
  /** By the policy's languages. */
  const ready = new Map<string, WordVectors>();
  let models: CompiledModels<SemanticModel> | undefined;
  let failedUntil = 0;
  const keys = new WeakMap<TrainingSet, string>();

  const keyOf = (loaded: WordVectors, set: TrainingSet): string => {
    const key = keys.get(set) ?? builtinKey(loaded, set);
    keys.set(set, key);
    return key;
  };

  /** A request never waits for another's I/O: two that come at once both read. */
  const loadOnce = async (set: TrainingSet): Promise<WordVectors> => {
    const key = set.languages.join();
    const held = ready.get(key);
    if (held) return held;
    vectors ??= await loadVectors(deps.assets);
    const loaded = await languages.load(vectors, set.languages);
    ready.set(key, loaded);
    return loaded;
  };

  const modelOf = (loaded: WordVectors, set: TrainingSet) => {
    // Its weights are stored in a byte each, and held in four.
    models ??= compiledModels({ kv: withShipped(deps.kv, deps.assets), growth: 4, now: deps.now });
    const read = (bytes: Uint8Array) => readSemantic(bytes, loaded);
    return models.get(keyOf(loaded, set), read, () => deps.background(heal(deps.trainerOf(set), set)));
  };

  const askLoaded = async (set: TrainingSet, request: LayerRequest): Promise<LayerAnswer> => {
    if (deps.now() < failedUntil) return { missed: "failed" };
    try {
      const model = await modelOf(await loadOnce(set), set);
      return typeof model === "string" ? { missed: model } : answerOf(model, request);
    } catch (error) {
      failedUntil = deps.now() + RETRY_MS;
      log("error", "semantic_vectors_unreadable", describeError(error));
      return { missed: "failed" };
    }
  };

  return {
    problem: () => (deps.assets === undefined ? "this deployment has no binding `ASSETS`" : undefined),
    ask(set, request) {
      const loaded = ready.get(set.languages.join());
      const model = loaded && models?.held(keyOf(loaded, set));
      return model ? answerOf(model, request) : askLoaded(set, request);
    },
    prepare: (set) => deps.trainerOf(set).train(set),
  };
}

async function heal(trainer: TrainerPort, set: TrainingSet): Promise<void> {
  try {
    await trainer.trainSoon(set);
  } catch (error) {
    log("error", "semantic_training_not_started", describeError(error));
  }
}
