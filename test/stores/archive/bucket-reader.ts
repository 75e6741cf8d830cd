/** Reads an archive in a bucket in memory. */
import type { ArchiveReader } from "../../../src/stores/archive/verify-archive.ts";
import type { MemoryBucket } from "./memory-bucket.ts";

export const readerOf = ({ files }: Pick<MemoryBucket, "files">): ArchiveReader => ({
  list: async (prefix) => [...files.keys()].filter((key) => key.startsWith(prefix)).sort(),
  read: async (key) => files.get(key)?.bytes,
});
