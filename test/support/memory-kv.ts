/** A `KvPort` in memory, for tests and single processes: every write shows at once, and is gone with the process. */
import type { KvPort } from "../../src/ports/kv-port.ts";

export function memoryKv(entries: Iterable<readonly [string, string]> = []): KvPort {
  const values = new Map(entries);
  return {
    get: async (key) => values.get(key) ?? null,
    put: async (key, value) => {
      values.set(key, value);
    },
    delete: async (key) => {
      values.delete(key);
    },
  };
}
