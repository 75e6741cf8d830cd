/** The trail that the settings choose. */

import { ok } from "../../lib/result.ts";
import type { TrailPort } from "../../ports/trail-port.ts";
import { readTrail } from "../../settings/trail.ts";
import { shardedTrail } from "./shards/sharded-trail.ts";
import { type PlacesEnv, trailShards } from "./shards/shards.ts";
import { callsOf, messagesOf, type TrailMessage } from "./trail-message.ts";

export interface TrailEnv extends PlacesEnv {
  readonly TRAIL_QUEUE?: Queue<TrailMessage>;
  readonly ARCHIVE?: R2Bucket;
}

/** Throws if the settings are wrong: the records wait for better ones. */
export function trailOf(env: TrailEnv): TrailPort {
  const settings = readTrail(env);
  if (!settings.ok) throw new Error(settings.error.join("; "));
  const index = shardedTrail(trailShards(env));
  const { TRAIL_QUEUE: queue, ARCHIVE: bucket } = env;
  return settings.value.kind === "queued" && queue && bucket ? queuedTrail({ index, queue, bucket }) : index;
}

interface QueuedTrailStores {
  readonly index: TrailPort;
  readonly queue: Pick<Queue<TrailMessage>, "sendBatch">;
  readonly bucket: Pick<R2Bucket, "put">;
}

/**
 * The trail of a large installation: objects send their records to a queue, whose consumer writes those of many users at once. All
 * other methods go to the index.
 */
const queuedTrail = ({ index, queue, bucket }: QueuedTrailStores): TrailPort => ({
  ...index,
  async deliver(records) {
    const [first] = records;
    if (first === undefined) return ok("sent");
    const messages = await messagesOf(first.record, records, async (key, large) => {
      await bucket.put(key, JSON.stringify(large));
    });
    for (const call of callsOf(messages)) await queue.sendBatch(call.map((body) => ({ body, contentType: "json" })));
    return ok("sent");
  },
});
