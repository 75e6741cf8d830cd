/** Stores of this process, loaded when they are used: they need Node's own SQLite, which Workers do not have. */
import type { FileStoreOptions, MemoryStoreOptions } from "./sqlite-stores.ts";
import type { Stores } from "./stores.ts";

export type { FileStoreOptions, MemoryStoreOptions };

/** Their content ends with the process. */
export async function memoryStores(options: MemoryStoreOptions = {}): Promise<Stores> {
  const { sqliteStores } = await import("./sqlite-stores.ts");
  return sqliteStores(options);
}

/** In the files of a folder, which one process at a time may use. */
export async function fileStores(options: FileStoreOptions): Promise<Stores> {
  const { sqliteStores } = await import("./sqlite-stores.ts");
  return sqliteStores(options);
}
