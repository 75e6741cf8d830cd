/** The audit outbox of one object: sealed in the transaction that decides, delivered to D1 afterwards. */

import { genesis, seal } from "../audit-chain.ts";
import type { AuditKeys } from "../audit-keys.ts";
import type { AuditRecord, SealedRecord } from "../audit-record.ts";
import { first } from "./schema.ts";

export interface Owner {
  readonly tenant: string;
  readonly user: string;
}

/** Rows read for one delivery. */
const BATCH = 100;
/** UTF-16 units of one delivery, unless one record alone is longer. */
const BATCH_UNITS = 512 * 1024;

export function appendRecord(sql: SqlStorage, keys: AuditKeys, record: AuditRecord): void {
  const row = first(sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'head'"));
  const { seq, hash } = row ? (JSON.parse(row.value) as Head) : { seq: 0, hash: genesis(record.tenant, record.user) };
  const sealed = seal(keys, { seq: seq + 1, previous: hash }, record);
  sql.exec("INSERT INTO outbox (seq, sealed) VALUES (?, ?)", sealed.seq, JSON.stringify(sealed));
  setMeta(sql, "head", JSON.stringify({ seq: sealed.seq, hash: sealed.hash } satisfies Head));
}

interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** The oldest records, as many as one delivery should hold. */
export function readBatch(sql: SqlStorage): SealedRecord[] {
  const batch: SealedRecord[] = [];
  let size = 0;
  for (const { sealed } of sql.exec<{ sealed: string }>("SELECT sealed FROM outbox ORDER BY seq LIMIT ?", BATCH)) {
    size += sealed.length;
    if (batch.length > 0 && size > BATCH_UNITS) break;
    batch.push(JSON.parse(sealed) as SealedRecord);
  }
  return batch;
}

export function dropDelivered(sql: SqlStorage, upTo: number): void {
  sql.exec("DELETE FROM outbox WHERE seq <= ?", upTo);
}

export function setMeta(sql: SqlStorage, key: string, value: string): void {
  sql.exec(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    value,
  );
}

/** Whose object this is; an object that nobody opened has no owner. */
export function readOwner(sql: SqlStorage): Owner | undefined {
  const row = first(sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'owner'"));
  return row && (JSON.parse(row.value) as Owner);
}
