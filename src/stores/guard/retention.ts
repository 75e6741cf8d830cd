/**
 * Retention of one user's audit records: the object whose chain it is removes its beginning from D1, since it alone knows
 * where the chain stands and what is still to be delivered. It looks again while D1 has anything of it, once a day at the
 * latest: an operator may shorten the time.
 */
import { log } from "../../lib/log.ts";
import { genesis, isSealed } from "../audit-chain.ts";
import { isSigned, joinGaps, nextCheckpoint, type RemovableLink, signCheckpoint } from "../audit-checkpoint.ts";
import type { AuditKeys } from "../audit-keys.ts";
import type { SealedRecord } from "../audit-record.ts";
import { readChain } from "../d1-audit-query.ts";
import { moveCheckpoint, readCheckpoint, removeStray } from "../d1-retention.ts";
import { type Owner, type Retention, readMeta, writeMeta } from "./meta.ts";
import { deliveredUpTo } from "./outbox.ts";

const DAY_MS = 24 * 3600_000;
/** Records of one removal. */
const PAGE = 100;

/** What is known before the first look; of an object of version 1 it is not known what D1 has. */
export function readRetention(sql: SqlStorage): Retention {
  return readMeta(sql, "retention") ?? { checkpoint: null, oldest: readMeta(sql, "head") ? 0 : null, dueAt: 0 };
}

/** To be told what was delivered: from then on there is something to remove, but not within a day. */
export function noteDelivered(sql: SqlStorage, records: readonly SealedRecord[], now: number): void {
  const known = readMeta(sql, "retention");
  const begins = known ? known.oldest === null : records.some(({ seq }) => seq === 1);
  if (!begins) return;
  const oldest = Math.min(...records.map(({ record }) => record.at));
  writeMeta(sql, "retention", { checkpoint: known?.checkpoint ?? null, oldest, dueAt: now + DAY_MS });
}

/** The daily sweep found records that should be gone. */
export function lookAgain(sql: SqlStorage): void {
  writeMeta(sql, "retention", { ...readRetention(sql), oldest: 0, dueAt: 0 });
}

/** When the alarm must ring for it; undefined while D1 has nothing. */
export function retentionDueAt(sql: SqlStorage): number | undefined {
  const { oldest, dueAt } = readRetention(sql);
  return oldest === null ? undefined : dueAt;
}

export interface RetentionStores {
  readonly sql: SqlStorage;
  readonly db: D1Database;
  readonly keys: AuditKeys;
  /** Undefined where it cannot be known just now. */
  readonly days: (tenant: string) => Promise<number | undefined>;
}

/** Removes one page of what is too old, and notes when to look again. Throws where D1 fails. */
export async function retain({ sql, db, keys, days }: RetentionStores, owner: Owner, now: number): Promise<void> {
  const known = readRetention(sql);
  const woken = known.oldest === 0;
  const kept = await days(owner.tenant);
  if (kept === undefined) throw new Error("the policy cannot be read: nothing is removed");
  const before = now - kept * DAY_MS;
  const checkpoint = await readCheckpoint(db, owner);
  const beginning = await readChain(db, owner, { afterSeq: known.checkpoint?.seq ?? 0, limit: PAGE + 1 });
  const upTo = deliveredUpTo(sql)?.seq ?? 0;
  const signed = checkpoint && isSigned(keys, checkpoint) ? checkpoint : undefined;
  // One that is ahead was left by a removal whose end the object did not see; beyond the chain's end it is of another chain.
  const left = signed && signed.seq <= upTo ? signed : undefined;
  const own = known.checkpoint ?? { seq: 0, hash: genesis(owner.tenant, owner.user) };
  const last = left && left.seq > own.seq ? left : own;
  const linkOf = (sealed: SealedRecord): RemovableLink => {
    const { seq, previous, hash, record } = sealed;
    return { seq, previous, hash, at: isSealed(keys, owner, sealed) ? record.at : undefined };
  };
  const links = withPutAside(sql, beginning, last.seq)
    .filter(({ seq }) => seq > last.seq && seq <= upTo)
    .map(linkOf);
  const next = nextCheckpoint(last, links.slice(0, PAGE), before);
  if (next) {
    const gaps = joinGaps(left?.gaps ?? [], next.gaps);
    const { seq, hash } = next;
    for (const [from, to] of next.gaps) {
      log("error", "audit_records_missing", { ...owner, from, to });
    }
    await moveCheckpoint(db, signCheckpoint(keys, { ...owner, seq, hash, gaps, at: now }), before);
    sql.exec("DELETE FROM quarantine WHERE seq <= ?", seq);
    // What an operator has asked for again in the meantime too: it would come back for good.
    sql.exec("DELETE FROM outbox WHERE seq <= ?", seq);
  }
  const head = readMeta(sql, "head")?.seq ?? 0;
  const more = woken && (await removeStray(db, owner, { upTo: last.seq, beyond: head, before }));
  const { seq, hash } = next ?? last;
  const first = links.find((link) => link.seq > seq);
  // Of one that is not intact it is not known when its time is over: with that of the next, which is looked for each day.
  const at = first && (first.at ?? now);
  if (first && first.at === undefined) log("error", "audit_record_altered", { ...owner, seq: first.seq });
  writeMeta(sql, "retention", {
    checkpoint: seq === 0 ? null : { seq, hash },
    oldest: more ? 0 : (at ?? null),
    // At once where there was more than a page; else when its time is over, which is a millisecond after its last.
    dueAt: more || at === undefined || at < before ? now : Math.min(at + kept * DAY_MS + 1, now + DAY_MS),
  });
}

/** The records of D1, and between them those that it refused. */
function withPutAside(sql: SqlStorage, records: readonly SealedRecord[], afterSeq: number): SealedRecord[] {
  const upTo = records.length > PAGE ? (records.at(-1)?.seq ?? 0) : Number.MAX_SAFE_INTEGER;
  const aside = sql
    .exec<{ sealed: string }>("SELECT sealed FROM quarantine WHERE seq > ? AND seq <= ? ORDER BY seq", afterSeq, upTo)
    .toArray()
    .map(({ sealed }) => JSON.parse(sealed) as SealedRecord);
  return [...records, ...aside].sort((a, b) => a.seq - b.seq);
}
