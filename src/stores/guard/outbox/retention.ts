/**
 * Retention of one user's audit records. The user's object removes the beginning of its chain from D1: only the object knows the
 * chain's state and what is still to be delivered. It checks when the oldest record expires, and after the policy's retention was
 * shortened.
 */
import { log } from "../../../lib/log.ts";
import { DAY_MS } from "../../../lib/time.ts";
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { TrailPort } from "../../../ports/trail-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { genesis, isSigned, joinGaps, nextCheckpoint, removableLink, signCheckpoint } from "../../audit/audit-chain.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { chainBeganAt } from "../erasure/erasures.ts";
import { type Retention, readMeta, writeMeta } from "../transaction.ts";
import { deliveredUpTo, readRefused } from "./outbox.ts";
import { readHead, removeUpTo } from "./record-chain.ts";

/** Records per removal. */
const PAGE = 100;

/** The state before the first check; for an object of version 1 it is not known what the trail has. */
export function readRetention(sql: SqlStorage): Retention {
  return readMeta(sql, "retention") ?? { checkpoint: null, oldest: readHead(sql) ? 0 : null, dueAt: 0 };
}

/** After the first delivery there is something to remove; the next check computes when. */
export function noteDelivered(sql: SqlStorage, records: readonly SealedRecord[], now: number): void {
  const known = readMeta(sql, "retention");
  const begins = known ? known.oldest === null : records.some(({ seq }) => seq === 1);
  if (!begins) return;
  const oldest = Math.min(...records.map(({ record }) => record.at));
  writeMeta(sql, "retention", { checkpoint: known?.checkpoint ?? null, oldest, dueAt: now });
}

/** The nightly check found expired records in the trail: the known oldest record is wrong. */
export function rescanRetention(sql: SqlStorage): void {
  writeMeta(sql, "retention", { ...readRetention(sql), oldest: 0, dueAt: 0 });
}

/** The known oldest record stays. */
export function scheduleRetention(sql: SqlStorage, at: number): void {
  writeMeta(sql, "retention", { ...readRetention(sql), dueAt: at });
}

/** When the alarm must ring for it; undefined while the trail has nothing. */
export function retentionDueAt(sql: SqlStorage): number | undefined {
  const { oldest, dueAt } = readRetention(sql);
  return oldest === null ? undefined : dueAt;
}

interface RetentionStores {
  readonly sql: SqlStorage;
  readonly trail: TrailPort;
  readonly keys: AuditKeys;
  /** Undefined if it is not available. */
  readonly days: (tenant: string) => Promise<number | undefined>;
}

/** Removes one page of expired records, and stores when to check again. Reads the trail only if records expire. Throws if it fails. */
export async function removeExpired(
  { sql, trail, keys, days }: RetentionStores,
  owner: Owner,
  now: number,
): Promise<void> {
  const known = readRetention(sql);
  const began = chainBeganAt(sql);
  const woken = known.oldest === 0;
  const kept = await days(owner.tenant);
  if (kept === undefined) throw new Error("the policy cannot be read: nothing is removed");
  const before = now - kept * DAY_MS;
  // A record expires a millisecond after its last day.
  const overAt = (at: number) => at + kept * DAY_MS + 1;
  if (known.oldest !== null && known.oldest >= before) return scheduleRetention(sql, overAt(known.oldest));
  const checkpoint = await trail.readCheckpoint(owner);
  const beginning = await trail.readChain(owner, { afterSeq: known.checkpoint?.seq ?? 0, limit: PAGE + 1 });
  const upTo = deliveredUpTo(sql)?.seq ?? 0;
  const signed = checkpoint && isSigned(keys, checkpoint) ? checkpoint : undefined;
  // A later one is from a removal that the object did not finish. One beyond the chain's end belongs to another chain.
  const left = signed && signed.seq <= upTo ? signed : undefined;
  const own = known.checkpoint ?? { seq: 0, hash: genesis(owner.tenant, owner.user) };
  const last = left && left.seq > own.seq ? left : own;
  const links = withRefused(sql, beginning, last.seq)
    .filter(({ seq }) => seq > last.seq && seq <= upTo)
    .map((sealed) => removableLink(keys, owner, sealed));
  const next = nextCheckpoint(last, links.slice(0, PAGE), before);
  if (next) {
    const gaps = joinGaps(left?.gaps ?? [], next.gaps);
    const { seq, hash } = next;
    for (const [from, to] of next.gaps) {
      log("error", "audit_records_missing", { ...owner, from, to });
    }
    await trail.moveCheckpoint(signCheckpoint(keys, { ...owner, seq, hash, gaps, at: now }), before);
    // The user was erased meanwhile: the object now has another chain.
    if (chainBeganAt(sql) !== began) return;
    sql.exec("DELETE FROM quarantine WHERE seq <= ?", seq);
    // Also those that an operator has redelivered in the meantime: they would come back for good.
    removeUpTo(sql, seq);
  }
  const head = readHead(sql)?.seq ?? 0;
  const more = woken && (await trail.removeStray(owner, { upToSeq: last.seq, afterSeq: head, olderThan: before }));
  if (chainBeganAt(sql) !== began) return;
  const { seq, hash } = next ?? last;
  const rest = links.filter((link) => link.seq > seq);
  const [first] = rest;
  if (first && first.at === undefined) log("error", "audit_record_altered", { ...owner, seq: first.seq });
  // An altered record has no known time: it is removed with the next intact one.
  const at = first && (rest.find((link) => link.at !== undefined)?.at ?? now);
  // A whole page without an intact record is not read again and again.
  const overdueAt = next ? now : now + DAY_MS;
  const nextLook = more || at === undefined ? now : at < before ? overdueAt : overAt(at);
  writeMeta(sql, "retention", {
    checkpoint: seq === 0 ? null : { seq, hash },
    oldest: more ? 0 : (at ?? null),
    dueAt: nextLook,
  });
}

/** The records of the trail, merged with those that it refused. */
function withRefused(sql: SqlStorage, records: readonly SealedRecord[], afterSeq: number): SealedRecord[] {
  const upTo = records.length > PAGE ? records.at(-1)?.seq : undefined;
  const refused = [...readRefused(sql, afterSeq, upTo)].map(({ sealed }) => JSON.parse(sealed) as SealedRecord);
  return [...records, ...refused].sort((a, b) => a.seq - b.seq);
}
