/**
 * Delivers the outbox to the trail. A trail that is down takes no record; one that refuses a record takes the others. So the others
 * of a refused batch are delivered without the refused record, which is tried again with the back-off, and quarantined in the end.
 */
import { log } from "../../../lib/log.ts";
import { ok, type Result } from "../../../lib/result.ts";
import type { AuditRecord, SealedRecord } from "../../../ports/audit-record.ts";
import type { DeliveryOutcome } from "../../../ports/chain-port.ts";
import type { Refusal, TrailPort } from "../../../ports/trail-port.ts";
import { chainBeganAt } from "../erasure/erasures.ts";
import {
  markDelivered,
  noteRefusal,
  noteSent,
  type PendingRecord,
  readBatch,
  sendAgain,
  waitingAmong,
} from "./outbox.ts";
import { noteDelivered } from "./retention.ts";

/** Deliveries per ring: the free plan allows 50 statements an invocation, and a delivery takes up to 22. */
const ROUNDS = 2;
/** Records per ring that are delivered alone, at two statements each. */
const ONE_BY_ONE = 10;

interface Outbox {
  readonly sql: SqlStorage;
  readonly trail: Pick<TrailPort, "deliver">;
  readonly now: () => number;
  /** Gets what was delivered. */
  readonly delivered: (records: readonly AuditRecord[]) => void;
}

/** `empty`: nothing waits. `more`: ring again at once. `held`: only records that the trail refuses are left; with a back-off. */
export type Delivery = "empty" | "more" | "held";

/** Throws if the trail is down: what was not delivered still waits. */
export async function deliverSome(outbox: Outbox): Promise<Delivery> {
  for (let round = 0; round < ROUNDS; round++) {
    const batch = readBatch(outbox.sql);
    if (batch.length === 0) return "empty";
    const fresh = batch.filter(({ refused }) => refused === 0);
    if (fresh.length === 0) return deliverOneByOne(outbox, batch.slice(0, ONE_BY_ONE));
    if ((await deliver(outbox, fresh)).ok) continue;
    await deliverOneByOne(outbox, fresh.slice(0, ONE_BY_ONE));
    return "more";
  }
  return "more";
}

async function deliverOneByOne(outbox: Outbox, records: readonly PendingRecord[]): Promise<Delivery> {
  let held = false;
  for (const record of records) {
    const delivered = await deliver(outbox, [record]);
    if (delivered.ok) continue;
    const refusal = delivered.error;
    const isQuarantined = noteRefusal(outbox.sql, record, refusal, outbox.now());
    if (isQuarantined) reportQuarantined(record.sealed, refusal.reason);
    else held = true;
  }
  return held ? "held" : "more";
}

async function deliver(
  { sql, trail, now, delivered }: Outbox,
  batch: readonly PendingRecord[],
): Promise<Result<"stored" | "sent", Refusal>> {
  const records = batch.map(({ sealed }) => sealed);
  const taken = await trail.deliver(records);
  // The user was erased meanwhile: the object now has another chain.
  if (records.some(({ record }) => record.at < chainBeganAt(sql))) return ok("stored");
  if (!taken.ok) return taken;
  if (taken.value === "sent") noteSent(sql, records, now());
  else delivered(noteStored(sql, records, now()));
  return taken;
}

function noteStored(sql: SqlStorage, records: readonly SealedRecord[], now: number): readonly AuditRecord[] {
  markDelivered(sql, records, now);
  noteDelivered(sql, records, now);
  return records.map(({ record }) => record);
}

/** Notes the outcome of records that were sent. @returns those that are stored now. */
export function settleSent(
  sql: SqlStorage,
  { stored, refused, lost }: DeliveryOutcome,
  now: number,
): readonly AuditRecord[] {
  for (const { reason, ...link } of refused) {
    for (const waiting of waitingAmong(sql, [link])) {
      noteRefusal(sql, waiting, { reason, final: true }, now);
      reportQuarantined(waiting.sealed, reason);
    }
  }
  const [first] = waitingAmong(sql, lost);
  if (first) sendAgain(sql, first.sealed.seq);
  return noteStored(
    sql,
    waitingAmong(sql, stored).map(({ sealed }) => sealed),
    now,
  );
}

function reportQuarantined({ seq, record }: SealedRecord, message: string): void {
  log("error", "audit_record_put_aside", { record: record.id, seq, tenant: record.tenant, message });
}
