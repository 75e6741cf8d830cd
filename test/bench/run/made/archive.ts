/**
 * A large archive in a folder, as a gateway leaves one that compacts each hour: a file for each hour and group of tenants, a signed
 * manifest for each hour, the archive's own writer and names. The last day's records are made, sealed in their users' chains, and written
 * once; each earlier day has the same ones at its own times (`moved-file.ts`).
 */
import { mkdir, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256Hex } from "../../../../src/lib/digest.ts";
import type { ChainLink, SealedRecord } from "../../../../src/ports/audit-record.ts";
import { folderOf, manifestKey, partitionOf, recordsKey } from "../../../../src/stores/archive/archive-files.ts";
import {
  digestOf,
  headList,
  headsOf,
  type Manifest,
  type ManifestFile,
  signManifest,
} from "../../../../src/stores/archive/manifest.ts";
import { byOwnerAndSeq, columns, writeColumns } from "../../../../src/stores/archive/parquet-records.ts";
import { genesis, seal } from "../../../../src/stores/audit/audit-chain.ts";
import type { AuditKeys } from "../../../../src/stores/audit/audit-keys.ts";
import { type ArchiveFile, movedFile, readFile } from "./moved-file.ts";
import type { MadeRecord } from "./records.ts";

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 7;
const TURNS_MS = 58 * 60_000;
/** More than a record takes, with its share of the manifests. */
const BYTES_A_RECORD = 400;

interface ArchiveSize {
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
  /** Refused calls of each day, by tenant. */
  readonly refused: Readonly<Record<string, number>>;
}

interface MakeOptions extends ArchiveSize {
  readonly folder: string;
  readonly keys: AuditKeys;
  /** The records of a turn at that time. */
  readonly make: (at: number) => readonly MadeRecord[];
}

/** Rejects where the disk has no room. */
export async function makeArchive({ folder, keys, make, ...size }: MakeOptions): Promise<MadeArchive> {
  const { records: wanted, days } = size;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < wanted * BYTES_A_RECORD)
    throw new Error(`${wanted} records take up to ${Math.ceil((wanted * BYTES_A_RECORD) / 1e9)} GB in \`${folder}\``);
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const perHour = Math.ceil(wanted / days / 24);
  const counts = countsOf(make, keys);
  const hours: Hour[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    hours.push(await writeHour(counts.linked(end - DAY_MS + hour * HOUR_MS, perHour), size.groups));
    process.stderr.write(`made hour ${hour + 1} of 24\n`);
  }
  let [files, bytes] = [0, 0];
  const put = async (key: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(join(folder, dirname(key)), { recursive: true });
    await writeFile(join(folder, key), content);
    files += 1;
    bytes += content.length;
  };
  let previous: string | null = null;
  for (let number = 1; number <= days * 24; number += 1) {
    const earlier = (days - Math.ceil(number / 24)) * DAY_MS;
    const { partitions, heads } = hours[(number - 1) % 24] ?? { partitions: [], heads: [] };
    const named: ManifestFile[] = [];
    for (const { group, file } of partitions) {
      const key = recordsKey(folderOf({ day: dayOf(end - DAY_MS - earlier), group }), number, 0);
      const parquet = earlier === 0 ? file.bytes : movedFile(file, -earlier);
      await put(key, parquet);
      named.push({ key, sha256: sha256Hex(parquet), records: file.times.length, bytes: parquet.length });
    }
    const at = end - days * DAY_MS + number * HOUR_MS;
    const manifest: Manifest = { version: 1, number, at, previous, files: named, heads };
    const text = signManifest(keys, manifest);
    await put(manifestKey(number), text);
    previous = digestOf(manifest, text);
  }
  const { records, users, refused } = counts.found();
  return {
    ...size,
    records: records * days,
    files,
    bytes,
    users,
    from: dayOf(end - WEEK_DAYS * DAY_MS),
    to: dayOf(end - DAY_MS),
    refused,
  };
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

interface LinkedRecord extends SealedRecord {
  readonly text: string;
}

/** Makes records, seals them, and counts. */
function countsOf(make: MakeOptions["make"], keys: AuditKeys) {
  const chains = new Map<string, ChainLink>();
  const refused: Record<string, number> = {};
  let records = 0;

  const link = ({ record, text }: MadeRecord): LinkedRecord => {
    const { tenant, user } = record;
    const owner = JSON.stringify([tenant, user]);
    const last = chains.get(owner) ?? { seq: 0, hash: genesis(tenant, user) };
    const sealed = seal(keys, { seq: last.seq + 1, previous: last.hash }, record);
    chains.set(owner, { seq: sealed.seq, hash: sealed.hash });
    records += 1;
    if (record.kind === "decision" && record.effect === "deny") refused[tenant] = (refused[tenant] ?? 0) + 1;
    return { ...sealed, text };
  };

  return {
    linked(begin: number, count: number): LinkedRecord[] {
      const all: LinkedRecord[] = [];
      // What a turn records later than this stays within the hour.
      while (all.length < count) all.push(...make(begin + Math.floor((all.length * TURNS_MS) / count)).map(link));
      return all;
    },
    found: () => ({ records, users: chains.size, refused }),
  };
}

interface Hour {
  readonly partitions: readonly {
    readonly group: number;
    readonly file: ArchiveFile & { readonly bytes: Uint8Array };
  }[];
  readonly heads: Manifest["heads"];
}

/** A file for each group of tenants, as the archive writes it, but for the texts of the records, which are there already. */
async function writeHour(made: readonly LinkedRecord[], groups: number): Promise<Hour> {
  const groupOf = new Map<string, number>();
  const byGroup = Map.groupBy(made, ({ record: { tenant, at } }) => {
    const group = groupOf.get(tenant) ?? partitionOf({ tenant, at }, groups).group;
    groupOf.set(tenant, group);
    return group;
  });
  const partitions = [];
  for (const [group, some] of byGroup) {
    some.sort(byOwnerAndSeq);
    const cells = columns.map(({ name, cell }) => (name === "record" ? some.map(({ text }) => text) : some.map(cell)));
    const bytes = await writeColumns(cells);
    const times = some.map(({ record }) => record.at);
    partitions.push({ group, file: { bytes, ...readFile(bytes, times) } });
  }
  return { partitions, heads: headList(headsOf(made)) };
}
