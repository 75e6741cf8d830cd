/** The trail that the settings choose. */
import type { TrailPort } from "../../ports/trail-port.ts";
import { readTrail } from "../../settings/trail.ts";
import { queuedTrail } from "./queued-trail.ts";
import { shardedTrail } from "./shards/sharded-trail.ts";
import { type PlacesEnv, trailShards } from "./shards/shards.ts";
import type { TrailMessage } from "./trail-message.ts";

export interface TrailEnv extends PlacesEnv {
  readonly TRAIL_QUEUE?: Queue<TrailMessage>;
  readonly ARCHIVE?: R2Bucket;
}

/** Throws where the settings are wrong: the records wait for better ones. */
export function trailOf(env: TrailEnv): TrailPort {
  const settings = readTrail(env);
  if (!settings.ok) throw new Error(settings.error.join("; "));
  const index = shardedTrail(trailShards(env));
  const { TRAIL_QUEUE: queue, ARCHIVE: bucket } = env;
  return settings.value.kind === "queued" && queue && bucket ? queuedTrail({ index, queue, bucket }) : index;
}
