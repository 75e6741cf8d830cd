/** A user's chain of audit records: each is sealed in the transaction that decides, as a row of the outbox. */
import type { AuditRecord, ChainLink } from "../../../ports/audit-record.ts";
import { genesis, seal } from "../../audit/audit-chain.ts";
import { selectOne } from "../../objects/sql-rows.ts";
import { chainBeganAt } from "../erasure/erasures.ts";
import { chainEnd, noteChainEnd, ownerOf, readMeta, type Transaction, writeMeta } from "../transaction.ts";

type WithoutOwner<R> = R extends AuditRecord ? Omit<R, "tenant" | "user"> : never;

/**
 * Seals the record, which is its owner's, and puts it into the outbox. It is dated no earlier than the erasure that its chain began
 * after.
 */
export function appendRecord({ sql, keys }: Transaction, record: WithoutOwner<AuditRecord>): void {
  const { tenant, user } = ownerOf(sql);
  const at = Math.max(record.at, chainBeganAt(sql));
  const head = readHead(sql) ?? { seq: 0, hash: genesis(tenant, user) };
  // What is undefined is not JSON.
  const members = Object.entries({ ...record, at, tenant, user }).filter(([, value]) => value !== undefined);
  const link = { seq: head.seq + 1, previous: head.hash };
  const sealed = seal(keys, link, Object.fromEntries(members) as unknown as AuditRecord);
  sql.exec("INSERT INTO outbox (seq, sealed) VALUES (?, ?)", sealed.seq, JSON.stringify(sealed));
  noteChainEnd(sql, sealed);
}

/** The last record of the chain: the last row, or the one that was last removed. */
export function readHead(sql: SqlStorage): ChainLink | undefined {
  const known = chainEnd(sql);
  if (known) return known;
  const removed = readMeta(sql, "head");
  const last = selectOne<ChainLink & Record<string, SqlStorageValue>>(
    sql,
    "SELECT seq, json_extract(sealed, '$.hash') AS hash FROM outbox ORDER BY seq DESC LIMIT 1",
  );
  return last && last.seq > (removed?.seq ?? 0) ? { seq: last.seq, hash: last.hash } : removed;
}

/** Removes rows up to and including `seq`, and keeps the end of the chain. */
export function removeUpTo(sql: SqlStorage, seq: number): void {
  keepHead(sql, seq);
  sql.exec("DELETE FROM outbox WHERE seq <= ?", seq);
}

/** To be called before rows up to `seq` are removed. */
export function keepHead(sql: SqlStorage, seq: number): void {
  const head = readHead(sql);
  if (head && head.seq <= seq) writeMeta(sql, "head", { seq: head.seq, hash: head.hash });
}
