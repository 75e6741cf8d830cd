/**
 * A cache in the isolate, bounded by its bytes: the least recently used value is evicted first. Every isolate has its own,
 * for its whole life. It holds values, never promises: one request must not await another's I/O.
 */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** @param bytes an upper estimate of the value's memory. A value larger than the whole cache is not stored. */
  set(key: string, value: V, bytes: number): void;
  delete(key: string): void;
}

interface Bounds<V> {
  /** A share of `CACHE_BYTES`. */
  readonly maxBytes: number;
  /** Called for an evicted value that is still used elsewhere. */
  readonly pushedOut?: (value: V) => void;
}

/** The memory of an entry besides its key and its value. */
const ENTRY_BYTES = 150;

/** The weight of an entry with this key and a value of `bytes`. */
export const entryBytes = (key: string, bytes: number): number => ENTRY_BYTES + 2 * key.length + bytes;

export function boundedCache<V>({ maxBytes, pushedOut }: Bounds<V>): BoundedCache<V> {
  /** Least recently used first. */
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
      // Not under the caller's key: it may be a slice of a long text, and would retain all of it.
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
 * The limit of each cache of an isolate, in bytes. An isolate has 128 MiB for its code, all open requests and these caches.
 * Together they may take 80 MiB, so a new cache takes its share from another. Weights are estimates that err high.
 */
export const CACHE_BYTES = {
  /** Includes what is compiled later for a policy: its detection, and the traits of listed tools. */
  policies: 16_200_000,
  policyDocuments: 4_000_000,
  policyPointers: 2_000_000,
  /** The tables of the patterns of policies and schemas, which grow with the texts that they read. */
  patternTables: 3_000_000,
  schemas: 5_000_000,
  /** Traits of tools that no policy lists. */
  traits: 2_000_000,
  inferredTools: 500_000,
  toolFacts: 2_000_000,
  toolLists: 4_000_000,
  mcpCatalogues: 5_600_000,
  /** The model of a policy with a megabyte of examples has this size. */
  semanticModels: 24 * 1024 * 1024,
  missingModels: 500_000,
  vectors: 2_000_000,
  keys: 1_500_000,
  /** Settings of tenants, opened. */
  tenants: 1_000_000,
  issuers: 500_000,
  unknownKeys: 300_000,
  /** Requests that an isolate may admit without asking, for some hundred keys. */
  leases: 100_000,
  /** Room for some 400 networks that send unknown keys. */
  unknownNetworks: 100_000,
  pasted: 500_000,
  /** Users' own words, without pasted text. */
  typedTexts: 600_000,
  /** The same, prepared for the search for values. */
  writtenTexts: 1_000_000,
  /** Results that hold a value, prepared the same way. */
  resultLeaves: 200_000,
  resultValues: 2_000_000,
  foundInstructions: 300_000,
  /** The state after the last turn, for some thousand sessions. */
  knownSessions: 1_500_000,
  /** Room for thousands of networks. */
  signIns: 2_200_000,
} as const;
