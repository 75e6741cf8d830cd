/**
 * Erases a person's records in the archive: only each record's place in the chain is left, under the erasure's name. A file that no
 * manifest names is changed in place. For a file that a manifest names, another one is written, then the manifest names that one,
 * then the old one is deleted: so the archive verifies at whatever point this dies. Each function does one piece, and may be
 * repeated. Rejects if the bucket fails.
 */
import { sha256Hex } from "../../lib/digest.ts";
import type { SealedRecord } from "../../ports/audit-record.ts";
import { eraseSealed } from "../audit/audit-chain.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import type { ErasedRecords } from "../audit/erasure/erase-rows.ts";
import { readMessage } from "../audit/trail-message.ts";
import { compactionOf, erasedKey, INCOMING, MANIFESTS, manifestKey } from "./archive-files.ts";
import {
  digestOf,
  headList,
  headsOf,
  type Manifest,
  type ManifestFile,
  type ManifestHead,
  readManifest,
  signManifest,
} from "./manifest.ts";
import { readOwners, readParquet, writeParquet } from "./parquet-records.ts";

/** Small files, or manifests, per piece. */
const FILES = 50;

export interface ErasedPiece {
  /** How many files or records were the person's, at least in part. */
  readonly found: number;
  /** Where the next piece begins. */
  readonly cursor: string;
  readonly more: boolean;
}

export interface ErasedArchive {
  readonly bucket: R2Bucket;
  readonly keys: AuditKeys;
  readonly erased: ErasedRecords;
}

/** Files that are not compacted yet. */
export async function eraseIncoming(archive: ErasedArchive, cursor: string): Promise<ErasedPiece> {
  const { bucket } = archive;
  const page = await keysAfter(bucket, INCOMING, cursor, FILES);
  let found = 0;
  for (const key of page.keys) {
    const stored = await bucket.get(key);
    const file = stored && (await eraseIn(await stored.bytes(), archive));
    if (!file || file.erased === 0) continue;
    found += file.erased;
    // A file that was compacted meanwhile is not written again: the next pass finds its records in the compacted file.
    await bucket.put(key, await writeParquet(file.records), { onlyIf: { etagMatches: stored.etag } });
  }
  return { found, cursor: page.keys.at(-1) ?? cursor, more: page.more };
}

interface ReplacedFiles {
  /** Files that a manifest may no longer name, from a piece that died. */
  readonly replaced: readonly string[];
  /** Stores their names. */
  readonly note: (replaced: readonly string[]) => void;
}

/** The files that the next manifests name; of at most one manifest with records of the person. */
export async function eraseCompacted(
  archive: ErasedArchive,
  cursor: string,
  { replaced, note }: ReplacedFiles,
): Promise<ErasedPiece> {
  const { bucket, keys } = archive;
  if (replaced.length > 0) await removeUnnamed(archive, replaced);
  const page = await keysAfter(bucket, MANIFESTS, cursor, FILES);
  let last = cursor;
  for (const key of page.keys) {
    const stored = await bucket.get(key);
    const text = await stored?.text();
    const manifest = text === undefined ? undefined : readManifest(keys, text);
    if (stored && text !== undefined) {
      if (!manifest) throw new Error(`\`${key}\` is not as it was signed: look at it first`);
      const next = await eraseNamed(archive, manifest, text);
      if (next) {
        const files = [...manifest.files, ...next.manifest.files].map((file) => file.key);
        note(files);
        const signed = signManifest(keys, next.manifest);
        const put = await bucket.put(key, signed, { onlyIf: { etagMatches: stored.etag } });
        // Another erasure was faster: the manifest is read again.
        if (put === null) return { found: next.erased, cursor: last, more: true };
        await removeUnnamed(archive, files);
        return { found: next.erased, cursor: key, more: true };
      }
    }
    last = key;
  }
  return { found: 0, cursor: last, more: page.more };
}

/** Deletes those of the files that their manifest does not name. */
async function removeUnnamed({ bucket, keys }: ErasedArchive, files: readonly string[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const text = await (await bucket.get(manifestKey(compactionOf(first))))?.text();
  const manifest = text === undefined ? undefined : readManifest(keys, text);
  if (!manifest) return;
  const named = new Set(manifest.files.map(({ key }) => key));
  const unnamed = files.filter((key) => !named.has(key));
  if (unnamed.length > 0) await bucket.delete(unnamed);
}

/** Writes the files that replace those with records of the person. Undefined if there is none. */
async function eraseNamed(
  archive: ErasedArchive,
  manifest: Manifest,
  text: string,
): Promise<{ readonly manifest: Manifest; readonly erased: number } | undefined> {
  const { bucket, erased } = archive;
  const isOwn = ([tenant, user]: ManifestHead) => tenant === erased.tenant && user === erased.user;
  const isLeft = ([tenant, user]: ManifestHead) => tenant === erased.tenant && user === erased.erasure;
  if (!manifest.heads.some(isOwn)) return undefined;
  const heads = new Map(
    manifest.heads
      .filter(isLeft)
      .map(([tenant, user, seq, hash]) => [JSON.stringify([tenant, user]), { seq, hash }] as const),
  );
  const files: ManifestFile[] = [];
  let [count, hasOwn] = [0, false];
  for (const file of manifest.files) {
    const stored = await bucket.get(file.key);
    const found = stored && (await eraseIn(await stored.bytes(), archive));
    if (found) {
      headsOf(found.own, heads);
      hasOwn = true;
    }
    if (!found || found.erased === 0) {
      files.push(file);
      continue;
    }
    count += found.erased;
    const bytes = await writeParquet(found.records);
    const key = erasedKey(file.key, erased.erasure);
    await bucket.put(key, bytes);
    files.push({ key, sha256: sha256Hex(bytes), records: found.records.length, bytes: bytes.length });
  }
  // Files of old days may have been removed, and the manifest still names the person.
  if (!hasOwn && manifest.at < erased.before) {
    count = 1;
    for (const [tenant, , seq, hash] of manifest.heads.filter(isOwn))
      heads.set(JSON.stringify([tenant, erased.erasure]), { seq, hash });
  }
  if (count === 0) return undefined;
  const others = manifest.heads.filter((head) => !isOwn(head) && !isLeft(head));
  return {
    manifest: { ...manifest, files, heads: [...others, ...headList(heads)], replaces: digestOf(manifest, text) },
    erased: count,
  };
}

interface ErasedFile {
  /** The whole file, in its current state. */
  readonly records: readonly SealedRecord[];
  /** Records that are, or were, the person's. */
  readonly own: readonly SealedRecord[];
  readonly erased: number;
}

/** Undefined if nothing in it is the person's. */
async function eraseIn(bytes: Uint8Array, { keys, erased }: ErasedArchive): Promise<ErasedFile | undefined> {
  const { tenant, user, erasure } = erased;
  // Most files have nothing of one person: their records are not read.
  if (!(await readOwners(bytes)).some((owner) => owner.tenant === tenant && owner.user === user)) return undefined;
  const own: SealedRecord[] = [];
  let count = 0;
  const records = (await readParquet(bytes)).map((sealed) => {
    if (sealed.record.tenant !== tenant || sealed.record.user !== user) return sealed;
    const isErased = isOf(erased, sealed);
    const left = isErased ? eraseSealed(keys, sealed, erasure) : sealed;
    if (isErased) count += 1;
    own.push(left);
    return left;
  });
  return { records, own, erased: count };
}

const isOf = ({ tenant, user, after, before }: ErasedRecords, { record }: SealedRecord): boolean =>
  record.tenant === tenant && record.user === user && record.at >= after && record.at < before;

const LETTERS = "dead-letters/";
const LARGE = "large/";

/** Messages that were given up, and records that are too large for the queue: both are copies. */
export async function eraseLetters(archive: ErasedArchive, cursor: string): Promise<ErasedPiece> {
  const { bucket } = archive;
  const prefix = cursor.startsWith(LARGE) ? LARGE : LETTERS;
  const page = await keysAfter(bucket, prefix, cursor, FILES);
  let found = 0;
  for (const key of page.keys) {
    const text = await (await bucket.get(key))?.text();
    if (text === undefined) continue;
    const rest = await withoutErased(archive, text);
    if (rest === text) continue;
    found += 1;
    await (rest === undefined ? bucket.delete(key) : bucket.put(key, rest));
  }
  const isLast = !page.more && prefix === LARGE;
  return { found, cursor: page.more ? (page.keys.at(-1) ?? cursor) : LARGE, more: !isLast };
}

/** What is left of a stored message, or of stored records, without those that are erased; undefined: nothing. */
async function withoutErased({ bucket, erased }: ErasedArchive, text: string): Promise<string | undefined> {
  const body: unknown = JSON.parse(text);
  const keep = (records: readonly SealedRecord[]) => records.filter((sealed) => !isOf(erased, sealed));
  if (Array.isArray(body)) {
    const kept = keep(body as SealedRecord[]);
    return kept.length === body.length ? text : kept.length === 0 ? undefined : JSON.stringify(kept);
  }
  const message = readMessage(body);
  // Its contents are not known: it is deleted if it names the person.
  if (!message) return text.includes(JSON.stringify(erased.user)) ? undefined : text;
  if (message.tenant !== erased.tenant || message.user !== erased.user) return text;
  const { key, records = [] } = message;
  // The records of the other kind are in a file of their own, which follows.
  if (key !== undefined) return (await bucket.head(key)) === null ? undefined : text;
  const kept = keep(records);
  return kept.length === records.length
    ? text
    : kept.length === 0
      ? undefined
      : JSON.stringify({ ...message, records: kept });
}

/** The next keys, by name. @param after the last one that was read; "" for the first. */
async function keysAfter(
  bucket: Pick<R2Bucket, "list">,
  prefix: string,
  after: string,
  limit: number,
): Promise<{ readonly keys: readonly string[]; readonly more: boolean }> {
  const { objects, truncated } = await bucket.list({ prefix, limit, ...(after > prefix ? { startAfter: after } : {}) });
  return { keys: objects.map(({ key }) => key), more: truncated };
}
