/** Reads the audit trail in D1: pages by time across a tenant's users, and one user's chain in order. */

import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { AuditRecord, SealedRecord } from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import { type PageRequest, readPage, type Sql, type UnknownCursor } from "./d1-page.ts";
import { auditTables, columnOf, type FilterName, type RecordKind, type RecordOf, recordKinds } from "./record-kinds.ts";

/** What is absent does not filter. Times are milliseconds since the epoch: `from` ≤ at < `to`. */
export type RecordFilter<K extends RecordKind> = { readonly [Name in FilterName<K>]?: string | undefined } & {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

export interface RecordPage<R extends AuditRecord> {
  readonly rows: readonly SealedRecord<R>[];
  readonly hasMore: boolean;
}

export async function queryRecords<K extends RecordKind>(
  db: D1Database,
  kind: K,
  tenant: string,
  filter: RecordFilter<K>,
  page: PageRequest,
): Promise<Result<RecordPage<RecordOf<K>>, UnknownCursor>> {
  const { from, to, reason, ...named } = filter as RecordFilter<"decision">;
  const { table, filters } = recordKinds[kind];
  const given = filters.flatMap((name: string) => {
    const value = (named as Readonly<Record<string, string | undefined>>)[name];
    const [column, index] = columnOf(kind, name);
    return value === undefined ? [] : [{ column, index, value }];
  });
  // SQLite takes the tables of a CROSS JOIN as they stand. By itself it takes a bounded time for more selective than a user, and
  // would read a whole tenant's month: hence the index of the most selective filter.
  const [first] = given;
  const index = first ? first.index : `${table}_by_time`;
  const source =
    reason === undefined
      ? { from: index ? `${table} t INDEXED BY ${index}` : `${table} t`, tenant: "t.tenant", at: "t.at", id: "t.id" }
      : { from: REASONS, tenant: "r.tenant", at: "r.at", id: "r.decision_id" };
  const conditions: readonly (Sql | undefined)[] = [
    [`${source.tenant} = ?`, tenant],
    // No chain begins below 1: what stands there was put past the gateway.
    ["t.seq > 0"],
    ...given.map(({ column, value }): Sql => [`t.${column} = ?`, value]),
    reason === undefined ? undefined : ["r.code = ?", reason],
    from === undefined ? undefined : [`${source.at} >= ?`, from],
    to === undefined ? undefined : [`${source.at} < ?`, to],
  ];
  const found = await readPage<AuditRow>(
    db,
    {
      select: `SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM ${source.from}`,
      conditions: conditions.filter((condition) => condition !== undefined),
      at: source.at,
      id: source.id,
      cursor: (after) => [`SELECT at, id FROM ${table} WHERE tenant = ? AND id = ?`, tenant, after],
    },
    page,
  );
  if (!found.ok) return found;
  return ok({ ...found.value, rows: found.value.rows.map((row) => readRow<RecordOf<K>>(row)) });
}

const REASONS = "decision_reasons r CROSS JOIN decisions t ON t.id = r.decision_id AND t.tenant = r.tenant";

/** D1 takes no more in one statement. */
const TABLES_AT_ONCE = 5;

/** One user's records of every kind, ascending by `seq`, from the one after `afterSeq`, to check whether they are intact. */
export async function readChain(
  db: D1Database,
  owner: Owner,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly SealedRecord[]> {
  const columns = "seq, previous, hash, key_id, record";
  const found = await fromAllTables<AuditRow>(db, owner, `SELECT ${columns}`, ["seq >", afterSeq, limit]);
  return found.slice(0, limit).map(readLink);
}

/** The first record at `seq` or below, where the user's chain holds none. */
export async function firstUpTo(db: D1Database, owner: Owner, seq: number): Promise<number | undefined> {
  const [found] = await fromAllTables<{ seq: number }>(db, owner, "SELECT seq", ["seq <=", seq, 1]);
  return found?.seq;
}

/** Ascending by `seq`; up to `limit` rows of each statement. In one transaction: no record comes between them. */
async function fromAllTables<R extends { readonly seq: number }>(
  db: D1Database,
  { tenant, user }: Owner,
  select: string,
  [beyond, seq, limit]: readonly [beyond: "seq >" | "seq <=", seq: number, limit: number],
): Promise<readonly R[]> {
  const parts = auditTables.map((table) => `${select} FROM ${table} WHERE tenant = ?1 AND user = ?2 AND ${beyond} ?3`);
  const statements: D1PreparedStatement[] = [];
  for (let at = 0; at < parts.length; at += TABLES_AT_ONCE) {
    const statement = `${parts.slice(at, at + TABLES_AT_ONCE).join(" UNION ALL ")} ORDER BY seq LIMIT ?4`;
    statements.push(db.prepare(statement).bind(tenant, user, seq, limit));
  }
  const found = (await db.batch<R>(statements)).flatMap(({ results }) => results);
  return found.sort((one, other) => one.seq - other.seq);
}

export interface AuditRow {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly key_id: string;
  readonly record: string;
}

/** The record is the writer's own canonical JSON, so its shape is taken as given; whether it was altered is for the chain. */
export function readRow<R extends AuditRecord>({ seq, previous, hash, key_id, record }: AuditRow): SealedRecord<R> {
  return { seq, previous, hash, keyId: key_id, record: JSON.parse(record) as R };
}

/**
 * For the chain a text that is not, byte for byte, what the writer wrote is no record, and nobody's: one that holds
 * a key twice means one thing to us and another to the columns that lists are filtered by.
 */
export function readLink(row: AuditRow): SealedRecord {
  try {
    const sealed = readRow<AuditRecord>(row);
    if (canonicalJson(sealed.record) === row.record) return sealed;
  } catch {
    // SQLite reads JSON5 too.
  }
  return readRow({ ...row, record: "{}" });
}
