/**
 * The names of the archive's files. `incoming/` has one file for each batch of the consumer, `records/` the files that compactions
 * made of them: both by the day of the records (UTC) and by a group of tenants. `manifests/` has a list of what each compaction made.
 */
import { sha256Hex } from "../../lib/digest.ts";
import { isoTime } from "../../lib/text/iso-time.ts";

export const INCOMING = "incoming/";
export const RECORDS = "records/";
export const MANIFESTS = "manifests/";

interface Partition {
  /** `2026-11-27` */
  readonly day: string;
  readonly group: number;
}

/** @param groups the number of groups of tenants; each tenant is in one. */
export function partitionOf(
  { tenant, at }: { readonly tenant: string; readonly at: number },
  groups: number,
): Partition {
  const group = groups === 1 ? 0 : Number.parseInt(sha256Hex(tenant).slice(0, 8), 16) % groups;
  return { day: isoTime(at).slice(0, 10), group };
}

export const folderOf = ({ day, group }: Partition): string => `day=${day}/group=${group}/`;

/** The partition's folder of a file in `incoming/` or `records/`; undefined for any other name. */
export const folderIn = (key: string): string | undefined =>
  /^(?:incoming|records)\/(day=\d{4}-\d\d-\d\d\/group=\d+\/)[^/]+\.parquet$/.exec(key)?.[1];

/** @param part the number of the file among those that one compaction made in this partition. */
export const recordsKey = (folder: string, compaction: number, part: number): string =>
  `${RECORDS}${folder}c${numbered(compaction)}-${part}.parquet`;

/** The name of the file that replaces a file of `records/` after an erasure. */
export const erasedKey = (key: string, erasure: string): string =>
  key.replace(/(-\d+)(?:-ers_\w+)?\.parquet$/, `$1-${erasure}.parquet`);

/** The compaction that made a file of `records/`. */
export const compactionOf = (key: string): number =>
  Number(/\/c(\d+)-\d+(?:-ers_\w+)?\.parquet$/.exec(key)?.[1] ?? Number.NaN);

export const manifestKey = (compaction: number): string => `${MANIFESTS}${numbered(compaction)}.json`;

/** Names sort as the numbers do. */
const numbered = (compaction: number): string => String(compaction).padStart(10, "0");

/** A bucket's pages of keys, as R2 returns them. */
interface KeyLister {
  list(options: { prefix: string; cursor?: string }): Promise<{
    readonly objects: readonly { readonly key: string }[];
    readonly truncated: boolean;
    readonly cursor?: string;
  }>;
}

/** In the order of names. */
export async function* keysUnder(bucket: KeyLister, prefix: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    for (const { key } of page.objects) yield key;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}
