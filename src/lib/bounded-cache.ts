/**
 * A cache in the isolate, bounded by the bytes that it holds: what was used least recently goes first. It lives as long as the
 * isolate does, and every isolate has its own. It holds values, never promises: one request must not await another's I/O.
 */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** @param bytes about what the value holds, rather more than less. One heavier than the whole cache is not kept. */
  set(key: string, value: V, bytes: number): void;
  delete(key: string): void;
}

interface Bounds<V> {
  /** A share of `CACHE_BYTES`. */
  readonly maxBytes: number;
  /** For a value that is pushed out, but lives on elsewhere. */
  readonly pushedOut?: (value: V) => void;
}

/** Of an entry beside its key and its value. */
const ENTRY_BYTES = 150;

/** What an entry with this key and a value of `bytes` counts for. */
export const entryBytes = (key: string, bytes: number): number => ENTRY_BYTES + 2 * key.length + bytes;

export function boundedCache<V>({ maxBytes, pushedOut }: Bounds<V>): BoundedCache<V> {
  /** In the order of their last use. */
  const entries = new Map<string, { readonly key: string; readonly value: V; readonly bytes: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      // Not under the key that the caller gave: it may be a slice of a long text, and would keep all of it.
      entries.set(entry.key, entry);
      return entry.value;
    },
    set(key, value, valueBytes) {
      drop(key);
      const bytes = entryBytes(key, valueBytes);
      if (bytes > maxBytes) return pushedOut?.(value);
      entries.set(key, { key, value, bytes });
      total += bytes;
      for (const oldest of entries.values()) {
        if (total <= maxBytes) break;
        drop(oldest.key);
        pushedOut?.(oldest.value);
      }
    },
    delete: drop,
  };
}

/**
 * What each cache of an isolate may hold, in bytes. An isolate has 128 MiB for everything: its code, all requests under way and
 * these. Together they may take 80 MiB, so a new cache takes its share from another. Weights are estimates that err high.
 */
export const CACHE_BYTES = {
  /** Also what is compiled later for a policy: its detection, and the traits of the tools that it lists. */
  policies: 18_000_000,
  policyDocuments: 5_000_000,
  policyPointers: 2_000_000,
  /** Of the patterns of policies and schemas: the tables that texts make them grow. */
  patternTables: 3_500_000,
  schemas: 6_000_000,
  /** Of tools that no policy lists. */
  traits: 2_000_000,
  toolFacts: 2_000_000,
  toolLists: 6_000_000,
  mcpCatalogues: 7_000_000,
  /** A policy with a megabyte of examples has a model of this size. */
  semanticModels: 24 * 1024 * 1024,
  missingModels: 500_000,
  vectors: 2_000_000,
  keys: 1_500_000,
  unknownKeys: 500_000,
  pasted: 500_000,
  /** Room for thousands of networks. */
  signIns: 2_200_000,
} as const;
