/** Audit records as a Parquet file: columns to query by, and the whole record, as it was sealed. */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { AuditRecord, SealedRecord } from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import { folderOf, INCOMING, partitionOf } from "./archive-files.ts";

type Cell = string | number | Date | null;

interface RecordColumn {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "TIMESTAMP";
  readonly cell: (sealed: SealedRecord) => Cell;
}

const column = (name: string, cell: RecordColumn["cell"], type: RecordColumn["type"] = "STRING"): RecordColumn => ({
  name,
  type,
  cell,
});

/** A member of the record; null if it has none, JSON if it is not text. */
const member = (name: string, key = name): RecordColumn =>
  column(name, ({ record }) => {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || value === null) return null;
    return typeof value === "string" ? value : JSON.stringify(value);
  });

/** Readers find columns by name: append, and never change one. */
export const columns: readonly RecordColumn[] = [
  column("at", ({ record }) => new Date(record.at), "TIMESTAMP"),
  member("kind"),
  member("tenant"),
  member("user"),
  member("session"),
  column("turn", ({ record }) => (record.kind === "turn" ? record.id : ("turn" in record && record.turn) || null)),
  member("id"),
  member("tool"),
  member("effect"),
  column("reasons", ({ record }) =>
    record.kind === "decision" ? record.reasons.map(({ code }) => code).join(",") : null,
  ),
  member("disposition"),
  member("event"),
  member("status"),
  member("stop_reason", "stopReason"),
  member("model"),
  member("policy"),
  column("seq", ({ seq }) => seq, "INT32"),
  column("previous", ({ previous }) => previous),
  column("hash", ({ hash }) => hash),
  column("key_id", ({ keyId }) => keyId),
  column("record", ({ record }) => canonicalJson(record)),
];

/** Sorted by owner and `seq`, so that a reader can skip other users' records. */
export function writeParquet(records: readonly SealedRecord[]): Promise<Uint8Array<ArrayBuffer>> {
  const sorted = records.toSorted(byOwnerAndSeq);
  return writeColumns(columns.map(({ cell }) => sorted.map(cell)));
}

/** @param cells those of each of `columns`, in their order. */
export async function writeColumns(cells: readonly Cell[][]): Promise<Uint8Array<ArrayBuffer>> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columns.map(({ name, type }, place) => ({ name, type, data: cells[place] ?? [] }));
  return new Uint8Array(parquetWriteBuffer({ columnData, codec: "ZSTD", compressors: { ZSTD: zstdCompressSync } }));
}

export function byOwnerAndSeq(one: SealedRecord, other: SealedRecord): number {
  const [a, b] = [one.record, other.record];
  if (a.tenant !== b.tenant) return a.tenant < b.tenant ? -1 : 1;
  if (a.user !== b.user) return a.user < b.user ? -1 : 1;
  return one.seq - other.seq;
}

const readFile = async (bytes: Uint8Array, names?: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
  const { parquetReadObjects } = await import("hyparquet");
  const file = bytes.slice().buffer;
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  return parquetReadObjects({ file, compressors, ...(names === undefined ? {} : { columns: [...names] }) });
};

/** The records as they were sealed. Throws if the file is no archive file. */
export async function readParquet(bytes: Uint8Array): Promise<readonly SealedRecord[]> {
  const rows = await readFile(bytes, ["seq", "previous", "hash", "key_id", "record"]);
  return rows.map((row) => ({
    seq: Number(row.seq),
    previous: String(row.previous),
    hash: String(row.hash),
    keyId: String(row.key_id),
    record: JSON.parse(String(row.record)) as AuditRecord,
  }));
}

/** The owner of each record. */
export const readOwners = async (bytes: Uint8Array): Promise<readonly Owner[]> =>
  (await readFile(bytes, ["tenant", "user"])).map(({ tenant, user }) => ({
    tenant: String(tenant),
    user: String(user),
  }));

export const readIds = async (bytes: Uint8Array): Promise<readonly string[]> =>
  (await readFile(bytes, ["id"])).map(({ id }) => String(id));

/** The id and the hash of each record. */
export const readHashes = async (bytes: Uint8Array): Promise<readonly (readonly [id: string, hash: string])[]> =>
  (await readFile(bytes, ["id", "hash"])).map(({ id, hash }) => [String(id), String(hash)] as const);

/**
 * Adds the records of one batch to the archive, a file for each partition. @param name of the files, unique to the batch; names sort
 * by time.
 */
export async function archiveBatch(
  bucket: { put(name: string, file: Uint8Array): Promise<unknown> },
  records: readonly SealedRecord[],
  { groups, name }: { readonly groups: number; readonly name: string },
): Promise<void> {
  const byFolder = Map.groupBy(records, ({ record }) => folderOf(partitionOf(record, groups)));
  for (const [folder, some] of byFolder)
    await bucket.put(`${INCOMING}${folder}${name}.parquet`, await writeParquet(some));
}
