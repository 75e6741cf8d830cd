/** What only the user's object knows of its audit chain: what D1 is compared with. */
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { ApartRecord, ChainState } from "../../../ports/chain-port.ts";
import { readMeta } from "../meta.ts";
import { deliveredUpTo, readApart, waitingCount } from "./outbox.ts";
import { readRetention } from "./retention.ts";

/** Of one answer, in UTF-16 units: a record has up to 2 MB, and an answer 32. */
const APART_UNITS = 4 * 1024 * 1024;
const MAX_APART = 200;

export function readChainState(sql: SqlStorage, afterSeq: number): ChainState {
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
