/** What finds intents, picked for `create-deps.ts`. */
import { waitUntil } from "cloudflare:workers";
import type { Deps, Env } from "./deps.ts";
import { createDetector } from "./intent/detect.ts";
import { modelLayer } from "./intent/model-layer.ts";
import type { TrainingSet } from "./intent/training-set.ts";
import { detectorModel } from "./model/gateway-model.ts";
import { embedderOf } from "./model/sdk/embedder.ts";
import type { Upstreams } from "./model/upstream/upstreams.ts";
import type { EmbeddingSettings } from "./settings/embeddings.ts";
import type { TelemetrySettings } from "./settings/telemetry.ts";
import { builtinSource } from "./stores/semantic/builtin-source.ts";
import { embeddingSource } from "./stores/semantic/embedding-source.ts";
import { noEmbeddings, type SemanticLayer, semanticLayer } from "./stores/semantic/semantic-layer.ts";
import { missedLayers } from "./telemetry/missed-layers.ts";

interface DetectionParts {
  readonly embeddings: EmbeddingSettings | undefined;
  readonly upstream: Upstreams;
  readonly telemetry: TelemetrySettings;
  readonly fetcher: typeof fetch;
  readonly now: () => number;
  readonly shared: SemanticLayer | undefined;
}

/** @param shared where this is the gateway of one tenant: the layer that all tenants share. */
export function detectionOf(
  env: Env,
  { embeddings, upstream, telemetry, fetcher, now, shared }: DetectionParts,
): Pick<Deps, "detector" | "semantic"> {
  const { KV: kv, ASSETS: assets, SEMANTIC_TRAINER: trainers } = env;
  const common = { kv, now, background: waitUntil };
  const trainerOf = ({ digest }: TrainingSet) => trainers.get(trainers.idFromName(digest));
  const embedder = embeddings && embedderOf(embeddings, env.AI, fetcher);
  const semantic =
    shared ??
    semanticLayer({
      builtin: builtinSource({ ...common, assets, trainerOf }),
      embeddings: embedder ? embeddingSource({ ...common, embedder }) : noEmbeddings,
    });
  const model = modelLayer(detectorModel(upstream, env.DETECTOR_MODEL?.trim() || undefined));
  return {
    semantic,
    detector: createDetector({ slow: { semantic: semantic.ask, model }, onMissed: missedLayers(telemetry, now) }),
  };
}
