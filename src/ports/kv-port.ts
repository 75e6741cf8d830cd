/**
 * A key-value store, such as a Workers `KVNamespace`. Lifetime: permanent. Order: a write is visible at once where it was made and
 * within 60 s elsewhere, a missing key likewise; writes of two keys may become visible in either order. Atomicity: one key at a time,
 * the last write wins; so nothing is counted here.
 */
export interface KvPort {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}
