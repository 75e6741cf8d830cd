/**
 * A large archive in a folder, as a gateway leaves one that compacts each hour: the archive's own writer and names, a file for each hour
 * and group of tenants, a signed manifest for each hour. The records of the last day are sealed in their users' chains, those of earlier
 * days have random hashes: to seal takes as long as all else, and no query looks at it.
 */
import { mkdir, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { drawFrom } from "../../../src/cli/seed/draw.ts";
import { sha256Hex } from "../../../src/lib/digest.ts";
import type { AuditRecord, SealedRecord } from "../../../src/ports/audit-record.ts";
import { folderOf, manifestKey, partitionOf, recordsKey } from "../../../src/stores/archive/archive-files.ts";
import { digestOf, headList, headsOf, type Manifest, signManifest } from "../../../src/stores/archive/manifest.ts";
import { byOwnerAndSeq, columns, writeColumns } from "../../../src/stores/archive/parquet-records.ts";
import { type ChainLink, genesis, seal } from "../../../src/stores/audit/audit-chain.ts";
import type { AuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { digestText, type MadeRecord } from "./made-records.ts";

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 7;
/** More than a record takes, with its share of the manifests. */
const BYTES_A_RECORD = 1_000;

export interface ArchiveSize {
  readonly records: number;
  /** Up to yesterday. */
  readonly days: number;
  readonly groups: number;
}

export interface MadeArchive extends ArchiveSize {
  readonly files: number;
  readonly bytes: number;
  readonly users: number;
  /** The first day of the last week, and the last day. */
  readonly from: string;
  readonly to: string;
  /** Of the last week, by tenant: all records, and refused calls. */
  readonly weeks: Readonly<Record<string, { records: number; refused: number }>>;
}

interface MakeOptions extends ArchiveSize {
  readonly folder: string;
  readonly keys: AuditKeys;
  /** The records of a turn at that time. */
  readonly make: (at: number) => readonly MadeRecord[];
}

/** Rejects where the disk has no room. */
export async function makeArchive({ folder, keys, make, ...size }: MakeOptions): Promise<MadeArchive> {
  const { records: wanted, days, groups } = size;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < wanted * BYTES_A_RECORD)
    throw new Error(`${wanted} records take up to ${Math.ceil((wanted * BYTES_A_RECORD) / 1e9)} GB in \`${folder}\``);
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const begin = end - days * DAY_MS;
  const week = end - WEEK_DAYS * DAY_MS;
  const draw = drawFrom(28);
  const chains = new Map<string, ChainLink>();
  const weeks: Record<string, { records: number; refused: number }> = {};
  let [records, files, bytes] = [0, 0, 0];
  let previous: string | null = null;

  const link = ({ record, text }: MadeRecord, isSealed: boolean): LinkedRecord => {
    const { tenant, user } = record;
    const owner = `${tenant} ${user}`;
    const last = chains.get(owner) ?? { seq: 0, hash: genesis(tenant, user) };
    const place = { seq: last.seq + 1, previous: last.hash };
    const sealed = isSealed
      ? seal(keys, place, record)
      : { ...place, keyId: keys.signing, record, hash: digestText(draw) };
    chains.set(owner, { seq: sealed.seq, hash: sealed.hash });
    return { ...sealed, text };
  };

  const folders = new Map<string, string>();
  const folderFor = ({ record: { tenant, at } }: LinkedRecord): string => {
    const known = `${tenant} ${Math.floor(at / DAY_MS)}`;
    const partition = folders.get(known) ?? folderOf(partitionOf({ tenant, at }, groups));
    folders.set(known, partition);
    return partition;
  };

  const countWeek = (record: AuditRecord): void => {
    // A turn may end after midnight.
    if (record.at < week || record.at >= end) return;
    const counted = weeks[record.tenant] ?? { records: 0, refused: 0 };
    weeks[record.tenant] = counted;
    counted.records += 1;
    if (record.kind === "decision" && record.effect === "deny") counted.refused += 1;
  };

  const put = async (key: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(join(folder, dirname(key)), { recursive: true });
    await writeFile(join(folder, key), content);
    files += 1;
    bytes += content.length;
  };

  for (let hour = 0; hour < days * 24; hour += 1) {
    const made: LinkedRecord[] = [];
    const count = Math.round((wanted * (hour + 1)) / (days * 24)) - records;
    while (made.length < count) {
      const turn = make(begin + hour * HOUR_MS + Math.floor((made.length * HOUR_MS) / count));
      for (const one of turn) {
        made.push(link(one, hour >= (days - 1) * 24));
        countWeek(one.record);
      }
    }
    records += made.length;
    const named: Manifest["files"][number][] = [];
    for (const [partition, some] of Map.groupBy(made, folderFor)) {
      const key = recordsKey(partition, hour + 1, 0);
      const parquet = await writeRecords(some);
      await put(key, parquet);
      named.push({ key, sha256: sha256Hex(parquet), records: some.length, bytes: parquet.length });
    }
    const at = begin + (hour + 1) * HOUR_MS;
    const manifest: Manifest = {
      version: 1,
      number: hour + 1,
      at,
      previous,
      files: named,
      heads: headList(headsOf(made)),
    };
    const text = signManifest(keys, manifest);
    await put(manifestKey(hour + 1), text);
    previous = digestOf(manifest, text);
    if (hour % 24 === 23) process.stderr.write(`${records} records, ${files} files, ${show(bytes)} GB\n`);
  }
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { ...size, records, files, bytes, users: chains.size, from: day(week), to: day(end - 1), weeks };
}

interface LinkedRecord extends SealedRecord {
  readonly text: string;
}

/** As the archive writes them, but for the text of the record, which is there already. */
function writeRecords(records: LinkedRecord[]): Promise<Uint8Array> {
  records.sort(byOwnerAndSeq);
  return writeColumns(
    columns.map(({ name, cell }) => (name === "record" ? records.map(({ text }) => text) : records.map(cell))),
  );
}

const show = (bytes: number): string => (bytes / 1e9).toFixed(2);
