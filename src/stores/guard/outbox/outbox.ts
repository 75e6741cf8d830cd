/** The audit outbox of one object: which of the sealed records (`record-chain.ts`) the trail has, and which it gets next. */
import { DAY_MS, HOUR_MS } from "../../../lib/time.ts";
import type { AuditRecord, ChainLink, SealedRecord } from "../../../ports/audit-record.ts";
import type { Refusal } from "../../../ports/trail-port.ts";
import { selectAll, selectOne } from "../../objects/sql-rows.ts";
import { noteMark, readMark, storeMark } from "./marks.ts";
import { keepHead, readHead } from "./record-chain.ts";

/** Rows per delivery. */
const BATCH = 100;
/** UTF-16 units per delivery, unless one record alone is longer. */
const BATCH_UNITS = 512 * 1024;
/** Times that the trail may refuse a record before it is quarantined: with the back-off, some minutes. */
const MAX_REFUSALS = 8;
/** How long a delivered record is stored: a D1 that is restored to an earlier time can get it again. */
const DELIVERED_KEPT_MS = 2 * DAY_MS;
/** The queue gives a message up within about an hour, and reports it to the object. After this time no report will come. */
const LOST_MS = 6 * HOUR_MS;

/** What is delivered, as it is stored: records up to `seq`, except those that were refused. */
const readDelivered = (sql: SqlStorage) => readMark(sql, "delivered") ?? { seq: 0, at: 0, marks: [] };

const upToDelivered = (sql: SqlStorage): number => readDelivered(sql).seq;

export interface PendingRecord {
  readonly sealed: SealedRecord;
  /** How often the trail refused it. */
  readonly refused: number;
}

/** The oldest records that wait and are not on their way, as many as one delivery should hold; refused ones come last. */
export function readBatch(sql: SqlStorage): PendingRecord[] {
  const batch: PendingRecord[] = [];
  let size = 0;
  const sent = readMark(sql, "sent")?.seq ?? 0;
  const fresh = sql.exec<WaitingRow>(
    "SELECT sealed, refused FROM outbox WHERE seq > ? AND delivered IS NULL AND refused = 0 ORDER BY seq LIMIT ?",
    Math.max(sent, upToDelivered(sql)),
    BATCH,
  );
  const refused = sql.exec<WaitingRow>(
    "SELECT sealed, refused FROM outbox WHERE seq > ? AND delivered IS NULL AND refused > 0 ORDER BY refused, seq LIMIT ?",
    sent,
    BATCH,
  );
  for (const { sealed, refused: times } of [...fresh, ...refused].slice(0, BATCH)) {
    size += sealed.length;
    if (batch.length > 0 && size > BATCH_UNITS) break;
    batch.push({ sealed: JSON.parse(sealed) as SealedRecord, refused: times });
  }
  return batch;
}

/** Records after `seq` that are still stored, ascending by `seq`, also those that the trail has, or has refused. */
export function readAfter(sql: SqlStorage, seq: number, limit: number): SealedRecord[] {
  let units = 0;
  const rows = selectAll<{ sealed: string }>(
    sql,
    `SELECT seq, sealed FROM (
       SELECT seq, sealed FROM outbox WHERE seq > ?1 UNION SELECT seq, sealed FROM quarantine WHERE seq > ?1)
     ORDER BY seq LIMIT ?2`,
    seq,
    limit,
  );
  const some = rows.filter(({ sealed }, index) => {
    units += sealed.length;
    return index === 0 || units <= BATCH_UNITS;
  });
  return some.map(({ sealed }) => JSON.parse(sealed) as SealedRecord);
}

/** Records after `seq` that the trail may not have, ascending by `seq`. */
export function undeliveredAfter(sql: SqlStorage, seq: number, limit: number): SealedRecord[] {
  const rows = sql.exec<{ sealed: string }>(
    `SELECT seq, sealed FROM (
       SELECT seq, sealed FROM outbox WHERE seq > ?1 AND delivered IS NULL AND (seq > ?2 OR refused > 0)
       UNION SELECT seq, sealed FROM quarantine WHERE seq > ?1)
     ORDER BY seq LIMIT ?3`,
    seq,
    upToDelivered(sql),
    limit,
  );
  return [...rows].map(({ sealed }) => JSON.parse(sealed) as SealedRecord);
}

interface WaitingRow extends Record<string, SqlStorageValue> {
  readonly sealed: string;
  readonly refused: number;
}

/** How often the time of delivery is noted: each record stays for 48 hours, and at most this much longer. */
const MARK_MS = HOUR_MS;

/** One row for all records that were delivered in order; the others are marked separately. */
export function markDelivered(sql: SqlStorage, records: readonly SealedRecord[], now: number): void {
  if (records.length === 0) return;
  const before = readDelivered(sql);
  const seqs = JSON.stringify(records.map(({ seq }) => seq));
  const waiting = selectOne<{ seq: number | null }>(
    sql,
    `SELECT MIN(seq) AS seq FROM outbox WHERE seq > ? AND delivered IS NULL AND refused = 0
       AND seq NOT IN (SELECT value FROM json_each(?))`,
    before.seq,
    seqs,
  )?.seq;
  const seq = Math.max(before.seq, (waiting ?? (readHead(sql)?.seq ?? 0) + 1) - 1);
  sql.exec(
    "UPDATE outbox SET delivered = ? WHERE (seq > ? OR refused > 0) AND seq IN (SELECT value FROM json_each(?))",
    now,
    seq,
    seqs,
  );
  if (seq === before.seq) return;
  const last = before.marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const isDue = before.seq > 0 && before.at - last >= MARK_MS;
  const marks = isDue ? [...before.marks, { seq: before.seq, at: before.at }] : before.marks;
  noteMark(sql, "delivered", { seq, at: now, marks });
}

/** When the next delivered row is removed; undefined if there is none. */
export function deliveredDueAt(sql: SqlStorage): number | undefined {
  const delivered = readDelivered(sql);
  const first = selectOne<{ seq: number }>(sql, "SELECT seq FROM outbox ORDER BY seq LIMIT 1")?.seq;
  if (first === undefined || first > delivered.seq) return undefined;
  const at = [...delivered.marks, delivered].find(({ seq }) => seq >= first)?.at ?? delivered.at;
  return at + DELIVERED_KEPT_MS + 1;
}

/** Removes what was delivered long ago. Records that were refused meanwhile stay. */
export function removeDelivered(sql: SqlStorage, now: number): void {
  const delivered = readDelivered(sql);
  const isOld = ({ at }: { readonly at: number }) => at < now - DELIVERED_KEPT_MS;
  const old = [...delivered.marks, delivered].findLast(isOld);
  if (!old) return;
  keepHead(sql, old.seq);
  sql.exec("DELETE FROM outbox WHERE seq <= ? AND (refused = 0 OR delivered IS NOT NULL)", old.seq);
  const marks = delivered.marks.filter((mark) => !isOld(mark));
  if (marks.length < delivered.marks.length) storeMark(sql, "delivered", { ...delivered, marks });
}

/**
 * Counts a refusal. A record that is refused for good is quarantined, so that it delays no other.
 * @returns whether it was.
 */
export function noteRefusal(
  sql: SqlStorage,
  { sealed, refused }: PendingRecord,
  { reason, final }: Refusal,
  now: number,
): boolean {
  if (!final && refused + 1 < MAX_REFUSALS) {
    sql.exec("UPDATE outbox SET refused = refused + 1 WHERE seq = ?", sealed.seq);
    return false;
  }
  sql.exec(
    "INSERT OR IGNORE INTO quarantine (seq, sealed, at, reason) SELECT seq, sealed, ?, ? FROM outbox WHERE seq = ?",
    now,
    reason.slice(0, 500),
    sealed.seq,
  );
  keepHead(sql, sealed.seq);
  sql.exec("DELETE FROM outbox WHERE seq = ?", sealed.seq);
  return true;
}

/** The records are on their way. */
export function noteSent(sql: SqlStorage, records: readonly SealedRecord[], now: number): void {
  const seq = Math.max(readMark(sql, "sent")?.seq ?? 0, ...records.map((one) => one.seq));
  // The time of the oldest record on its way: later ones do not postpone when it counts as lost.
  const at = lostAt(sql) === undefined ? now : (readMark(sql, "sent")?.at ?? now);
  noteMark(sql, "sent", { seq, at });
}

/** When the oldest record that is on its way counts as lost; undefined if none is. */
export function lostAt(sql: SqlStorage): number | undefined {
  const sent = readMark(sql, "sent");
  const waits =
    sent &&
    (selectOne(
      sql,
      "SELECT seq FROM outbox WHERE seq > ? AND seq <= ? AND delivered IS NULL AND refused = 0 LIMIT 1",
      upToDelivered(sql),
      sent.seq,
    ) ??
      selectOne(sql, "SELECT seq FROM outbox WHERE seq <= ? AND delivered IS NULL AND refused > 0 LIMIT 1", sent.seq));
  return waits && sent.at + LOST_MS;
}

/** Everything that waits from `seq` on is sent again. */
export function sendAgain(sql: SqlStorage, seq: number): void {
  const sent = readMark(sql, "sent");
  if (sent && seq <= sent.seq) storeMark(sql, "sent", { ...sent, seq: seq - 1 });
}

/** Among these links, the records of this chain that are not delivered. */
export function waitingAmong(sql: SqlStorage, links: readonly ChainLink[]): PendingRecord[] {
  const hashes = new Set(links.map(({ hash }) => hash));
  const rows = sql.exec<WaitingRow>(
    `SELECT sealed, refused FROM outbox WHERE seq IN (SELECT value FROM json_each(?)) AND delivered IS NULL
       AND (seq > ? OR refused > 0) ORDER BY seq`,
    JSON.stringify(links.map(({ seq }) => seq)),
    upToDelivered(sql),
  );
  const waiting = [...rows].map(({ sealed, refused }) => ({ sealed: JSON.parse(sealed) as SealedRecord, refused }));
  return waiting.filter(({ sealed }) => hashes.has(sealed.hash));
}

/** Delivers everything after `afterSeq` once more, as far as it is stored, with the quarantined records. */
export function deliverAgain(sql: SqlStorage, afterSeq: number): number {
  sql.exec("INSERT OR IGNORE INTO outbox (seq, sealed) SELECT seq, sealed FROM quarantine WHERE seq > ?", afterSeq);
  sql.exec("DELETE FROM quarantine WHERE seq > ?", afterSeq);
  sql.exec(
    "UPDATE outbox SET delivered = NULL, refused = 0 WHERE seq > ? AND (delivered IS NOT NULL OR refused > 0)",
    afterSeq,
  );
  const { marks, ...delivered } = readDelivered(sql);
  if (delivered.seq > afterSeq)
    storeMark(sql, "delivered", { ...delivered, seq: afterSeq, marks: marks.filter(({ seq }) => seq <= afterSeq) });
  sendAgain(sql, afterSeq + 1);
  return waitingCount(sql);
}

/** A record that the trail has refused: it may have later ones. */
interface RefusedRow extends Record<string, SqlStorageValue> {
  readonly sealed: string;
  /** When it was quarantined, and why; null while it is still tried. */
  readonly at: number | null;
  readonly reason: string | null;
}

/** Those after `afterSeq` up to and including `upTo`, ascending by `seq`. */
export const readRefused = (sql: SqlStorage, afterSeq: number, upTo = Number.MAX_SAFE_INTEGER): Iterable<RefusedRow> =>
  sql.exec<RefusedRow>(
    `SELECT sealed, at, reason FROM (
       SELECT seq, sealed, at, reason FROM quarantine WHERE seq > ?1 AND seq <= ?2
       UNION ALL SELECT seq, sealed, NULL, NULL FROM outbox WHERE delivered IS NULL AND refused > 0 AND seq > ?1 AND seq <= ?2)
     ORDER BY seq`,
    afterSeq,
    upTo,
  );

/** An upper bound of the records that wait: cheap, however many there are. */
export function waitingCount(sql: SqlStorage): number {
  const waiting = "SELECT seq FROM outbox WHERE seq > ? AND delivered IS NULL AND refused = 0 ORDER BY seq";
  const after = upToDelivered(sql);
  const oldest = selectOne<{ seq: number }>(sql, `${waiting} LIMIT 1`, after)?.seq;
  const newest = selectOne<{ seq: number }>(sql, `${waiting} DESC LIMIT 1`, after)?.seq;
  const refused = selectOne<{ n: number }>(
    sql,
    "SELECT COUNT(*) AS n FROM outbox WHERE delivered IS NULL AND refused > 0",
  );
  return (refused?.n ?? 0) + (oldest === undefined || newest === undefined ? 0 : newest - oldest + 1);
}

/** The last record before the first that waits: up to here the trail should have every one, except those that it refused. */
export function deliveredUpTo(sql: SqlStorage): ChainLink | undefined {
  const next = firstWaiting(sql);
  return next ? { seq: next.seq - 1, hash: next.previous } : readHead(sql);
}

export const oldestWaiting = (sql: SqlStorage): AuditRecord | undefined => firstWaiting(sql)?.record;

function firstWaiting(sql: SqlStorage): SealedRecord | undefined {
  const row = selectOne<{ sealed: string }>(
    sql,
    "SELECT sealed FROM outbox WHERE seq > ? AND delivered IS NULL AND refused = 0 ORDER BY seq LIMIT 1",
    upToDelivered(sql),
  );
  return row && (JSON.parse(row.sealed) as SealedRecord);
}
