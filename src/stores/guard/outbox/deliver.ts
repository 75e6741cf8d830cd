/**
 * Delivers the outbox to D1. A database that is down takes no record; one that refuses a record takes the others. So the others of a
 * refused batch are delivered without the refused record, which is tried again with the back-off, and quarantined in the end.
 */
import { log } from "../../../lib/log.ts";
import type { AuditRecord } from "../../../ports/audit-record.ts";
import { deliverRecords } from "../../audit/d1-audit.ts";
import { markDelivered, noteRefusal, readBatch, type Waiting } from "./outbox.ts";
import { noteDelivered } from "./retention.ts";

/** Deliveries of one ring: the free plan allows 50 statements an invocation, and a delivery takes up to 22. */
const ROUNDS = 2;
/** Records of one ring that are delivered each on its own, at two statements. */
const ONE_BY_ONE = 10;

export interface Outbox {
  readonly sql: SqlStorage;
  readonly db: D1Database;
  readonly now: () => number;
  /** Told what was delivered. */
  readonly delivered: (records: readonly AuditRecord[]) => void;
}

/** `empty`: nothing waits. `more`: ring again at once. `held`: only what D1 refuses is left; with a back-off. */
export type Delivery = "empty" | "more" | "held";

/** Throws where D1 is down: what was not delivered still waits. */
export async function deliverSome(outbox: Outbox): Promise<Delivery> {
  for (let round = 0; round < ROUNDS; round++) {
    const batch = readBatch(outbox.sql);
    if (batch.length === 0) return "empty";
    const fresh = batch.filter(({ refused }) => refused === 0);
    if (fresh.length === 0) return deliverOneByOne(outbox, batch.slice(0, ONE_BY_ONE));
    try {
      await deliver(outbox, fresh);
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      await deliverOneByOne(outbox, fresh.slice(0, ONE_BY_ONE));
      return "more";
    }
  }
  return "more";
}

async function deliverOneByOne(outbox: Outbox, records: readonly Waiting[]): Promise<Delivery> {
  let held = false;
  for (const record of records) {
    try {
      await deliver(outbox, [record]);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const { seq, record: about } = record.sealed;
      const isQuarantined = noteRefusal(outbox.sql, record, refusal, outbox.now());
      if (!isQuarantined) held = true;
      else
        log("error", "audit_record_put_aside", {
          record: about.id,
          seq,
          tenant: about.tenant,
          message: refusal.reason,
        });
    }
  }
  return held ? "held" : "more";
}

async function deliver({ sql, db, now, delivered }: Outbox, batch: readonly Waiting[]): Promise<void> {
  const records = batch.map(({ sealed }) => sealed);
  await deliverRecords(db, records);
  markDelivered(sql, records, now());
  noteDelivered(sql, records, now());
  delivered(records.map(({ record }) => record));
}

/**
 * The reason, where the record is at fault and not the database. A missing table or column is a migration that was not applied:
 * the records wait for it.
 */
function refusalOf(error: unknown): { readonly reason: string; readonly final: boolean } | undefined {
  const reason = error instanceof Error ? error.message : String(error);
  const final = /SQLITE_TOOBIG|too (big|large|long)/i.test(reason);
  return final || /SQLITE_(CONSTRAINT|MISMATCH)|malformed JSON/i.test(reason) ? { reason, final } : undefined;
}
