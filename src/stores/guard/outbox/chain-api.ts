/** What only the user's object knows of its audit chain, which D1's rows are compared with. */
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { ApartRecord, ChainPort, ChainState } from "../../../ports/chain-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { readMeta, writeMeta } from "../meta.ts";
import type { ObjectContext } from "../object-context.ts";
import { deliverAgain, deliveredUpTo, readApart, waitingCount } from "./outbox.ts";
import { lookAt, lookInD1, readRetention } from "./retention.ts";

/** Of one answer, in UTF-16 units: a record has up to 2 MB, and an answer 32. */
const APART_UNITS = 4 * 1024 * 1024;
const MAX_APART = 200;

export class ChainApi implements ChainPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async state(afterSeq: number): Promise<ChainState> {
    return this.context.read(({ sql }) => readChainState(sql, afterSeq));
  }

  async deliverAgain(afterSeq: number): Promise<number> {
    const waiting = this.context.read(({ sql }) => deliverAgain(sql, afterSeq));
    this.context.alarm.clock.arm(0);
    return waiting;
  }

  async wake(owner: Owner, why: "overdue" | "shortened"): Promise<void> {
    this.context.read(({ sql }) => {
      if (!readMeta(sql, "owner")) writeMeta(sql, "owner", owner);
      if (why === "overdue") lookInD1(sql);
      else lookAt(sql, 0);
    });
    this.context.alarm.clock.arm(0);
  }
}

function readChainState(sql: SqlStorage, afterSeq: number): ChainState {
  const apart: ApartRecord[] = [];
  let [units, moreApart] = [0, false];
  for (const { sealed, at, reason } of readApart(sql, afterSeq)) {
    units += sealed.length;
    moreApart = apart.length > 0 && (units > APART_UNITS || apart.length === MAX_APART);
    if (moreApart) break;
    const putAside = at === null ? undefined : { at, reason: reason ?? "" };
    apart.push({ sealed: JSON.parse(sealed) as SealedRecord, putAside });
  }
  return {
    head: readMeta(sql, "head"),
    delivered: deliveredUpTo(sql),
    checkpoint: readRetention(sql).checkpoint ?? undefined,
    waiting: waitingCount(sql),
    apart,
    moreApart,
  };
}
