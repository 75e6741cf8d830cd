/**
 * Compacts the archive: it merges the many small files of the consumer's batches into a few large ones, with each record once, and
 * signs the result. It may die at any point. Files that no manifest names come from a compaction that did not end, and the next one
 * writes them anew. Small files are removed after the manifest is written, and their records that are already in the large files are
 * left out.
 */
import { sha256Hex } from "../../lib/digest.ts";
import type { ChainLink, SealedRecord } from "../../ports/audit-record.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import {
  compactionOf,
  folderIn,
  INCOMING,
  keysUnder,
  MANIFESTS,
  manifestKey,
  RECORDS,
  recordsKey,
} from "./archive-files.ts";
import { digestOf, headList, headsOf, type ManifestFile, readManifest, signManifest } from "./manifest.ts";
import { readIds, readParquet, writeParquet } from "./parquet-records.ts";

/** A batch that is being written may still add files. */
const SETTLED_MS = 600_000;
/** Records per file: some 40 MB of JSON in memory. */
const FILE_RECORDS = 20_000;
/** Small files per compaction. */
const MAX_FILES = 500;
const MAX_DELETED = 1_000;

interface CompactStores {
  readonly bucket: R2Bucket;
  readonly keys: AuditKeys;
}

interface Compaction {
  readonly files: number;
  readonly records: number;
  /** Small files that are old enough to be compacted are left. */
  readonly more: boolean;
}

/** Rejects if the bucket fails, or a manifest does not match its signature. */
export async function compactArchive({ bucket, keys }: CompactStores, now: number): Promise<Compaction> {
  const listed = await bucket.list({ prefix: INCOMING, limit: MAX_FILES });
  const due = listed.objects.filter(({ uploaded }) => uploaded.getTime() <= now - SETTLED_MS).map(({ key }) => key);
  if (due.length === 0) return { files: 0, records: 0, more: false };
  const last = await lastManifest(bucket, keys);
  const number = last.number + 1;
  const files: ManifestFile[] = [];
  const heads = new Map<string, ChainLink>();
  for (const [folder, small] of Map.groupBy(due, folderIn)) {
    if (folder === undefined) continue;
    const made = await compactPartition(bucket, { folder, small, number }, heads);
    files.push(...made);
  }
  const records = files.reduce((sum, file) => sum + file.records, 0);
  if (files.length > 0) {
    const manifest = {
      version: 1 as const,
      number,
      at: now,
      previous: last.digest,
      files,
      heads: headList(heads),
    };
    const written = await bucket.put(manifestKey(number), signManifest(keys, manifest), {
      onlyIf: { etagDoesNotMatch: "*" },
    });
    if (written === null) throw new Error(`another compaction has written manifest ${number} meanwhile`);
  }
  for (let at = 0; at < due.length; at += MAX_DELETED) await bucket.delete(due.slice(at, at + MAX_DELETED));
  return { files: due.length, records, more: listed.truncated };
}

interface PartitionFiles {
  readonly folder: string;
  readonly small: readonly string[];
  readonly number: number;
}

async function compactPartition(
  bucket: R2Bucket,
  { folder, small, number }: PartitionFiles,
  heads: Map<string, ChainLink>,
): Promise<readonly ManifestFile[]> {
  const seen = await idsIn(bucket, folder, number);
  const files: ManifestFile[] = [];
  let waiting: SealedRecord[] = [];
  const write = async (records: readonly SealedRecord[]) => {
    const bytes = await writeParquet(records);
    const key = recordsKey(folder, number, files.length);
    await bucket.put(key, bytes);
    files.push({ key, sha256: sha256Hex(bytes), records: records.length, bytes: bytes.length });
    headsOf(records, heads);
  };
  for (const key of small) {
    const stored = await bucket.get(key);
    // Removed by another compaction.
    if (!stored) continue;
    for (const sealed of await readParquet(await stored.bytes())) {
      if (seen.has(sealed.record.id)) continue;
      seen.add(sealed.record.id);
      waiting.push(sealed);
    }
    if (waiting.length < FILE_RECORDS) continue;
    await write(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await write(waiting);
  return files;
}

/** Records of earlier compactions of the partition. Files of one that did not end are removed. */
async function idsIn(bucket: R2Bucket, folder: string, number: number): Promise<Set<string>> {
  const seen = new Set<string>();
  for await (const key of keysUnder(bucket, `${RECORDS}${folder}`)) {
    if (compactionOf(key) >= number) await bucket.delete(key);
    else {
      const stored = await bucket.get(key);
      if (stored) for (const id of await readIds(await stored.bytes())) seen.add(id);
    }
  }
  return seen;
}

async function lastManifest(
  bucket: R2Bucket,
  keys: AuditKeys,
): Promise<{ readonly number: number; readonly digest: string | null }> {
  let last: string | undefined;
  for await (const key of keysUnder(bucket, MANIFESTS)) last = key;
  const text = last && (await (await bucket.get(last))?.text());
  if (!text) return { number: 0, digest: null };
  const manifest = readManifest(keys, text);
  if (!manifest)
    throw new Error(`\`${last}\` is not as it was signed: the archive is not compacted before that is looked at`);
  return { number: manifest.number, digest: digestOf(manifest, text) };
}
