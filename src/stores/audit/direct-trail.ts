/** The trail of a small installation: each user's object writes directly to the one database. */
import { err, ok } from "../../lib/result.ts";
import type { Refusal, TrailPort } from "../../ports/trail-port.ts";
import { deliverRecords } from "./d1-audit.ts";
import { readChain } from "./d1-audit-query.ts";
import { moveCheckpoint, readCheckpoint, removeStray } from "./d1-retention.ts";

export const directTrail = (db: D1Database): TrailPort => ({
  async deliver(records) {
    try {
      await deliverRecords(db, records);
      return ok("stored");
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return err(refusal);
    }
  },
  readCheckpoint: (owner) => readCheckpoint(db, owner),
  readChain: (owner, page) => readChain(db, owner, page),
  moveCheckpoint: (checkpoint, before) => moveCheckpoint(db, checkpoint, before),
  removeStray: (owner, bounds) => removeStray(db, owner, bounds),
});

/**
 * The reason, if the record is at fault and not the database. A missing table or column is a migration that was not applied: the
 * records wait for it.
 */
function refusalOf(error: unknown): Refusal | undefined {
  const reason = error instanceof Error ? error.message : String(error);
  const final = /SQLITE_TOOBIG|too (big|large|long)/i.test(reason);
  return final || /SQLITE_(CONSTRAINT|MISMATCH)|malformed JSON/i.test(reason) ? { reason, final } : undefined;
}
