/** Stores in memory, loaded where they are used: they take Node's own SQLite, which Workers do not have. */
import type { MemoryStoreOptions } from "./memory-stores.ts";
import type { Stores } from "./stores.ts";

export type { MemoryStoreOptions };

export async function memoryStores(options?: MemoryStoreOptions): Promise<Stores> {
  const own = await import("./memory-stores.ts");
  return own.memoryStores(options);
}
