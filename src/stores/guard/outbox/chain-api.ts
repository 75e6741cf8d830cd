/** The facts about an audit chain that only the user's object knows. D1's rows are compared with them. */
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { ChainState, DeliveryOutcome, RefusedRecord } from "../../../ports/chain-port.ts";
import type { Owner } from "../../../session/principal.ts";
import type { ObjectContext } from "../object-context.ts";
import { noteOwner } from "../transaction.ts";
import { settleSent } from "./deliver.ts";
import { forgetMarks } from "./marks.ts";
import { deliverAgain, deliveredUpTo, readRefused, waitingCount } from "./outbox.ts";
import { readHead } from "./record-chain.ts";
import { readRetention, rescanRetention, scheduleRetention } from "./retention.ts";

/** Per answer, in UTF-16 units: a record has up to 2 MB, and an answer 32. */
const REFUSED_UNITS = 4 * 1024 * 1024;
const MAX_REFUSED = 200;

export const chainApi = (context: ObjectContext) => ({
  /** @param afterSeq `refused` begins after it. */
  state: async (afterSeq: number) => context.read(({ sql }) => readChainState(sql, afterSeq)),

  /** The outcome of records that were sent to the trail. Records of another chain of the same user are ignored. */
  async settle(outcome: DeliveryOutcome): Promise<void> {
    try {
      const stored = context.read(({ sql, now }) => settleSent(sql, outcome, now));
      context.alarm.settled(stored, outcome.lost.length > 0);
    } catch (error) {
      forgetMarks(context.sql);
      throw error;
    }
  },

  /** Delivers the records after `afterSeq` that the object still has once more. @returns how many wait. */
  async deliverAgain(afterSeq: number): Promise<number> {
    const waiting = context.read(({ sql }) => deliverAgain(sql, afterSeq));
    context.alarm.clock.schedule(0);
    return waiting;
  },

  /**
   * Makes the object check for records that retention must remove. `overdue`: D1 holds some, whatever the object knows.
   * `shortened`: the policy's retention is now shorter.
   */
  async checkRetention(owner: Owner, why: "overdue" | "shortened"): Promise<void> {
    context.read(({ sql }) => {
      noteOwner(sql, owner);
      if (why === "overdue") rescanRetention(sql);
      else scheduleRetention(sql, 0);
    });
    context.alarm.clock.schedule(0);
  },
});

function readChainState(sql: SqlStorage, afterSeq: number): ChainState {
  const refused: RefusedRecord[] = [];
  let [units, moreRefused] = [0, false];
  for (const { sealed, at, reason } of readRefused(sql, afterSeq)) {
    units += sealed.length;
    moreRefused = refused.length > 0 && (units > REFUSED_UNITS || refused.length === MAX_REFUSED);
    if (moreRefused) break;
    const quarantined = at === null ? undefined : { at, reason: reason ?? "" };
    refused.push({ sealed: JSON.parse(sealed) as SealedRecord, quarantined });
  }
  return {
    head: readHead(sql),
    delivered: deliveredUpTo(sql),
    checkpoint: readRetention(sql).checkpoint ?? undefined,
    waiting: waitingCount(sql),
    refused,
    moreRefused,
  };
}
