/** A `KvPort` whose reads do not hang: who reads has an answer for a store that fails, but none for one that is silent. */
import { within } from "../../lib/deadline.ts";
import type { KvPort } from "../../ports/kv-port.ts";

const ANSWER_MS = 5_000;

export const timedKv = (kv: KvPort): KvPort => ({
  get: (key) => within(ANSWER_MS, kv.get(key)),
  put: (key, value) => kv.put(key, value),
  delete: (key) => kv.delete(key),
});
