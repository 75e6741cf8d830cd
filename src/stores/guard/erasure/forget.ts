/**
 * The user's object forgets its user: everything that it stores except what the erasure itself still needs. Of records that the trail
 * may not have, their places in the chain are left, and a record with the author closes that chain. A later record begins a new one.
 */
import { newId } from "../../../lib/ids.ts";
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { ChangeRecord } from "../../../ports/operator-records.ts";
import { eraseSealed, genesis, seal } from "../../audit/audit-chain.ts";
import { exists } from "../../objects/sql-rows.ts";
import { ownTables } from "../lazy-tables.ts";
import { forgetMarks } from "../outbox/marks.ts";
import { undeliveredAfter } from "../outbox/outbox.ts";
import { readHead } from "../outbox/record-chain.ts";
import { deleteMeta, ownerOf, type Transaction } from "../transaction.ts";
import type { Erasure } from "./erasure.ts";
import { readErasures, storeErasure } from "./erasures.ts";

export function orderErasure({ sql, now }: Transaction, by: string): Erasure {
  const last = readErasures(sql).at(-1);
  if (last && last.completedAt === null && (last.before === null || !hasAny(sql))) return last;
  const erasure: Erasure = {
    id: newId("ers", now),
    by,
    orderedAt: now,
    after: last?.before ?? Number.MIN_SAFE_INTEGER,
    before: null,
    step: "left",
    cursors: {},
    replaced: [],
    found: 0,
    looks: 0,
    failures: 0,
    due: now,
    completedAt: null,
  };
  storeErasure(sql, erasure);
  return erasure;
}

/** Whether anything of the user is stored. */
export const hasAny = (sql: SqlStorage): boolean =>
  readHead(sql) !== undefined ||
  ownTables(sql).some((table) => !KEPT.includes(table) && exists(sql, `SELECT 1 FROM ${table} LIMIT 1`));

/** Records that are read at once. */
const PAGE = 500;

/** Forgets for each erasure that was ordered since. */
export function forgetOrdered(transaction: Transaction): void {
  const { sql } = transaction;
  for (const erasure of readErasures(sql)) if (erasure.before === null) forget(transaction, erasure);
}

function forget({ sql, keys, now }: Transaction, erasure: Erasure): void {
  const owner = ownerOf(sql);
  const keep = (left: SealedRecord) => sql.exec("INSERT INTO left_records (sealed) VALUES (?)", JSON.stringify(left));
  let last = now;
  for (let after = 0; ; ) {
    const records = undeliveredAfter(sql, after, PAGE);
    for (const sealed of records) {
      keep(eraseSealed(keys, sealed, erasure.id));
      last = Math.max(last, sealed.record.at);
    }
    const end = records.at(-1);
    if (!end) break;
    after = end.seq;
  }
  const before = last + 1;
  const head = readHead(sql) ?? { seq: 0, hash: genesis(owner.tenant, erasure.id) };
  const ended: ChangeRecord = {
    kind: "change",
    id: newId("evt", now),
    event: "chain_closed",
    tenant: owner.tenant,
    user: erasure.id,
    at: now,
    subject: erasure.id,
    by: erasure.by,
  };
  keep(seal(keys, { seq: head.seq + 1, previous: head.hash }, ended));
  for (const table of ownTables(sql)) if (!KEPT.includes(table)) sql.exec(`DELETE FROM ${table}`);
  forgetMarks(sql);
  deleteMeta(sql, ["head", "delivered", "sent", "retention", "exports"]);
  storeErasure(sql, { ...erasure, before });
}

const KEPT = ["meta", "left_records"];
