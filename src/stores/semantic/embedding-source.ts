/** The layer `semantic` from a provider's sentence vectors: of the examples when the policy is put, of the message in its turn. */

import {
  EMBEDDING_FORMAT,
  type EmbeddingModel,
  readEmbeddings,
  textsOf,
  trainEmbeddings,
  unit,
} from "../../intent/semantic/embedding-model.ts";
import { joinGuesses } from "../../intent/semantic/semantic-model.ts";
import type { LayerAnswer, LayerRequest } from "../../intent/slow-layer.ts";
import type { TrainingSet } from "../../intent/training-set.ts";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import { type BytesKv, compiledModels, modelKey, writeModel } from "./compiled-models.ts";
import type { SemanticSource } from "./semantic-layer.ts";

/** As of the embedder that `deps.ts` picks. */
interface EmbedderPort {
  readonly id: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

interface EmbeddingSourceDeps {
  readonly kv: BytesKv;
  readonly embedder: EmbedderPort;
  readonly background: (work: Promise<unknown>) => void;
  readonly now: () => number;
}

/** All texts of a policy together. */
const TRAIN_WITHIN_MS = 25_000;
/** An embedding model reads some thousand tokens; a message states its request before that. */
const MAX_TEXT = 4_000;

export function embeddingSource({ kv, embedder, background, now }: EmbeddingSourceDeps): SemanticSource {
  const models = compiledModels<EmbeddingModel>({ kv, growth: 2, now });
  // By digest: no user's text stays in memory for this.
  const vectors = boundedCache<Float32Array>({ maxBytes: CACHE_BYTES.vectors });
  const keyOf = (set: TrainingSet) => modelKey(EMBEDDING_FORMAT, embedder.id, set.digest);

  async function prepare(set: TrainingSet): Promise<void> {
    const texts = textsOf(set.intents).map(({ text }) => text);
    const made = trainEmbeddings(set.intents, await embedder.embed(texts, AbortSignal.timeout(TRAIN_WITHIN_MS)));
    if (!made.ok) throw new Error(made.error);
    await writeModel(kv, keyOf(set), made.value);
    log("info", "semantic_model_trained", { key: keyOf(set), intents: set.intents.length, bytes: made.value.length });
  }

  const heal = (set: TrainingSet) => () =>
    background(prepare(set).catch((error) => log("error", "semantic_training_failed", describeError(error))));

  async function embed(texts: readonly string[], signal: AbortSignal): Promise<void> {
    const unknown = texts.filter((text) => vectors.get(sha256Hex(text)) === undefined);
    const made = await embedder.embed(unknown, signal);
    unknown.forEach((text, place) => {
      // A vector without a direction would match no intent for as long as it is cached.
      const vector = unit(made[place] ?? []);
      if (vector === undefined) throw new Error("a vector is empty, or holds what is no number");
      vectors.set(sha256Hex(text), vector, vector.byteLength);
    });
  }

  /** Undefined if a vector is not cached. */
  function classified(model: EmbeddingModel, texts: readonly string[]): LayerAnswer | undefined {
    const cached = texts.map((text) => vectors.get(sha256Hex(text)));
    const held = cached.filter((vector) => vector !== undefined);
    if (held.length < cached.length) return undefined;
    if (held.some((vector) => vector.length !== model.dimensions)) return { missed: "unreadable" };
    return { guesses: joinGuesses(held.map((vector) => model.classify(vector))) };
  }

  async function answer(model: EmbeddingModel, { policy, clauses, signal }: LayerRequest): Promise<LayerAnswer> {
    const texts = clauses
      .map((clause) => clause.slice(0, MAX_TEXT).toWellFormed())
      .filter((text) => text.trim() !== "");
    if (texts.length === 0) return { guesses: [] };
    const known = classified(model, texts);
    if (known) return known;
    const limit = AbortSignal.timeout(policy.detection.semantic.timeoutMs);
    try {
      await embed(texts, AbortSignal.any([signal, limit]));
    } catch {
      return { missed: limit.aborted ? "late" : "failed" };
    }
    return classified(model, texts) ?? { missed: "failed" };
  }

  return {
    problem: () => undefined,
    async ask(set, question) {
      const model = await models.get(keyOf(set), readEmbeddings, heal(set));
      return typeof model === "string" ? { missed: model } : answer(model, question);
    },
    prepare,
  };
}
