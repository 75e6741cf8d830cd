/**
 * A cache in the isolate, bounded by count and weight: what was used least recently goes first. It lives as long as the
 * isolate does, and every isolate has its own. It holds values, never promises: one request must not await another's I/O.
 */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** @param weight in the unit of `maxWeight`. A value heavier than the whole is not kept. */
  set(key: string, value: V, weight?: number): void;
  delete(key: string): void;
}

export function boundedCache<V>(bounds: { readonly maxEntries: number; readonly maxWeight?: number }): BoundedCache<V> {
  const { maxEntries, maxWeight = Number.POSITIVE_INFINITY } = bounds;
  /** In the order of their last use. */
  const entries = new Map<string, { readonly key: string; readonly value: V; readonly weight: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      // Not under what was asked for, which may be a slice of a long text, and would keep all of it.
      entries.set(entry.key, entry);
      return entry.value;
    },
    set(key, value, weight = 0) {
      drop(key);
      if (weight > maxWeight) return;
      entries.set(key, { key, value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxWeight) break;
        drop(oldest);
      }
    },
    delete: drop,
  };
}

/** What the cache holds under `key`, else what `make` makes, kept from then on. */
export function remember<V>(cache: BoundedCache<V>, key: string, make: () => V): V {
  const held = cache.get(key);
  if (held !== undefined) return held;
  const value = make();
  cache.set(key, value, key.length);
  return value;
}
