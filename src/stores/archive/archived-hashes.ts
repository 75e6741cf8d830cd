/** Which records of a partition the archive has: those in files that a signed manifest names, if the files match the manifest. */
import { sha256Hex } from "../../lib/digest.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import { compactionOf, keysUnder, manifestKey, RECORDS } from "./archive-files.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { readHashes } from "./parquet-records.ts";

/** The hash of each record by its id. Rejects if the bucket is down. */
export type ArchivedHashes = (folder: string) => Promise<ReadonlyMap<string, string>>;

/** A partition is read once; the last few stay in memory. */
const PARTITIONS = 3;

export function archivedHashes(bucket: R2Bucket, keys: AuditKeys): ArchivedHashes {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const manifests = new Map<number, Manifest | undefined>();

  async function manifestOf(compaction: number): Promise<Manifest | undefined> {
    if (manifests.has(compaction)) return manifests.get(compaction);
    const text = await (await bucket.get(manifestKey(compaction)))?.text();
    const manifest = text === undefined ? undefined : readManifest(keys, text);
    manifests.set(compaction, manifest);
    return manifest;
  }

  async function read(folder: string): Promise<ReadonlyMap<string, string>> {
    const hashes = new Map<string, string>();
    for await (const key of keysUnder(bucket, `${RECORDS}${folder}`)) {
      const manifest = await manifestOf(compactionOf(key));
      const named = manifest?.files.find((file) => file.key === key);
      const stored = named && (await bucket.get(key));
      const bytes = stored && (await stored.bytes());
      if (bytes && sha256Hex(bytes) === named.sha256)
        for (const [id, hash] of await readHashes(bytes)) hashes.set(id, hash);
    }
    return hashes;
  }

  return async (folder) => {
    const before = known.get(folder);
    if (before) return before;
    const hashes = await read(folder);
    const [oldest] = known.keys();
    if (known.size >= PARTITIONS && oldest !== undefined) known.delete(oldest);
    known.set(folder, hashes);
    return hashes;
  };
}
