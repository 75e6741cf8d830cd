/**
 * The trail of a large installation: objects send their records to a queue, whose consumer writes those of many users at once. What
 * the object removes and reads for it, it asks of the index as before.
 */
import { ok } from "../../lib/result.ts";
import type { TrailPort } from "../../ports/trail-port.ts";
import { callsOf, messagesOf, type TrailMessage } from "./trail-message.ts";

interface QueuedTrailStores {
  readonly index: TrailPort;
  readonly queue: Pick<Queue<TrailMessage>, "sendBatch">;
  readonly bucket: Pick<R2Bucket, "put">;
}

export const queuedTrail = ({ index, queue, bucket }: QueuedTrailStores): TrailPort => ({
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
