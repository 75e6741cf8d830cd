/** Reads the audit trail in D1: pages by time across a tenant's users, and one user's chain in order. */
import { canonicalJson } from "../lib/canonical-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { Effect } from "../policy/decision.ts";
import type { AuditRecord, DecisionRecord, SealedRecord, TurnRecord } from "./audit-record.ts";

/** What is not given does not filter. Times are milliseconds since the epoch: `from` ≤ at < `to`. */
export interface TurnFilter {
  readonly user?: string;
  readonly session?: string;
  /** Id of the turn. */
  readonly turn?: string;
  readonly stopReason?: string;
  readonly from?: number;
  readonly to?: number;
}

export interface DecisionFilter extends Omit<TurnFilter, "stopReason"> {
  readonly tool?: string;
  readonly effect?: Effect;
  /** A code that is among the decision's reasons. */
  readonly reason?: string;
}

export interface PageRequest {
  /** 1 to 100, 20 unless told. */
  readonly limit?: number;
  /** Id of the record that the page begins after. */
  readonly after?: string;
  /** By time, then id; the newest first unless told. */
  readonly order?: "asc" | "desc";
}

export interface Page<R extends AuditRecord> {
  readonly rows: readonly SealedRecord<R>[];
  readonly hasMore: boolean;
}

/** The tenant has no record of the id in `after`, or none any more: an empty page would read as the end of the list. */
export type UnknownCursor = "unknown_cursor";

export function queryTurns(
  db: D1Database,
  tenant: string,
  filter: TurnFilter,
  page: PageRequest,
): Promise<Result<Page<TurnRecord>, UnknownCursor>> {
  const { user, session, turn, stopReason, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.id", turn, undefined],
    ["t.session", session, "turns_by_session"],
    ["t.user", user, "turns_by_user"],
    ["t.stop_reason", stopReason, "turns_by_stop_reason"],
  ];
  return queryPage<TurnRecord>(db, byRecord("turns", equals), tenant, equals, { from, to }, page);
}

export function queryDecisions(
  db: D1Database,
  tenant: string,
  filter: DecisionFilter,
  page: PageRequest,
): Promise<Result<Page<DecisionRecord>, UnknownCursor>> {
  const { user, session, turn, tool, effect, reason, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.turn", turn, "decisions_by_turn"],
    ["t.session", session, "decisions_by_session"],
    ["t.user", user, "decisions_by_user"],
    ["t.tool", tool, "decisions_by_tool"],
    ["t.effect", effect, "decisions_by_effect"],
    ["r.code", reason, undefined],
  ];
  const source = reason === undefined ? byRecord("decisions", equals) : byReason;
  return queryPage<DecisionRecord>(db, source, tenant, equals, { from, to }, page);
}

/** One user's records of both kinds, ascending by `seq`, from the one after `afterSeq`, for who looks whether they are intact. */
export async function readChain(
  db: D1Database,
  { tenant, user }: { readonly tenant: string; readonly user: string },
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly SealedRecord[]> {
  const part = (table: string) =>
    `SELECT seq, previous, hash, key_id, record FROM ${table} WHERE tenant = ?1 AND user = ?2 AND seq > ?3`;
  const statement = db.prepare(`${part("turns")} UNION ALL ${part("decisions")} ORDER BY seq LIMIT ?4`);
  const { results } = await statement.bind(tenant, user, afterSeq, limit).all<Row>();
  return results.map(readLink);
}

interface Row {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly key_id: string;
  readonly record: string;
}

/** The record is the writer's own canonical JSON, so its shape is taken as given; whether it was altered is for the chain. */
function readRow<R extends AuditRecord>({ seq, previous, hash, key_id, record }: Row): SealedRecord<R> {
  return { seq, previous, hash, keyId: key_id, record: JSON.parse(record) as R };
}

/**
 * For the chain a text that is not, byte for byte, what the writer wrote is no record, and nobody's: one that holds
 * a key twice means one thing to us and another to the columns that lists are filtered by.
 */
function readLink(row: Row): SealedRecord {
  try {
    const sealed = readRow<AuditRecord>(row);
    if (canonicalJson(sealed.record) === row.record) return sealed;
  } catch {
    // SQLite reads JSON5 too.
  }
  return readRow({ ...row, record: "{}" });
}

/** A column, the value that is asked for, and the index that finds it in the order of the list. */
type Equality = readonly [column: string, value: string | undefined, index: string | undefined];

/** Where rows come from, and the columns that they are ordered by. Only constants: nothing of a request is in SQL text. */
interface Source {
  readonly table: "turns" | "decisions";
  readonly from: string;
  readonly tenant: string;
  readonly at: string;
  readonly id: string;
}

/**
 * Names the index of the first equality given, the most selective: by itself SQLite takes a bounded time for more selective
 * than a user, and would read a whole tenant's month.
 */
function byRecord(table: Source["table"], equals: readonly Equality[]): Source {
  const given = equals.find(([, value]) => value !== undefined);
  const index = given ? given[2] : `${table}_by_time`;
  const from = index === undefined ? `${table} t` : `${table} t INDEXED BY ${index}`;
  return { table, from, tenant: "t.tenant", at: "t.at", id: "t.id" };
}

/** SQLite takes the tables of a CROSS JOIN as they stand. */
const byReason: Source = {
  table: "decisions",
  from: "decision_reasons r CROSS JOIN decisions t ON t.id = r.decision_id",
  tenant: "r.tenant",
  at: "r.at",
  id: "r.decision_id",
};

async function queryPage<R extends AuditRecord>(
  db: D1Database,
  source: Source,
  tenant: string,
  equals: readonly Equality[],
  between: { readonly from?: number; readonly to?: number },
  { limit = 20, after, order = "desc" }: PageRequest,
): Promise<Result<Page<R>, UnknownCursor>> {
  const direction = order === "asc" ? { sql: "ASC", beyond: ">" } : { sql: "DESC", beyond: "<" };
  const conditions: (readonly [sql: string, ...values: (string | number)[]])[] = [[`${source.tenant} = ?`, tenant]];
  for (const [column, value] of equals) {
    if (value !== undefined) conditions.push([`${column} = ?`, value]);
  }
  if (between.from !== undefined) conditions.push([`${source.at} >= ?`, between.from]);
  if (between.to !== undefined) conditions.push([`${source.at} < ?`, between.to]);
  if (after !== undefined) {
    const cursor = `(SELECT at, id FROM ${source.table} WHERE tenant = ? AND id = ?)`;
    conditions.push([`(${source.at}, ${source.id}) ${direction.beyond} ${cursor}`, tenant, after]);
  }
  const select = `SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM ${source.from}
    WHERE ${conditions.map(([sql]) => sql).join(" AND ")}
    ORDER BY ${source.at} ${direction.sql}, ${source.id} ${direction.sql} LIMIT ?`;
  const statements = [db.prepare(select).bind(...conditions.flatMap(([, ...values]) => values), limit + 1)];
  if (after !== undefined) {
    statements.push(db.prepare(`SELECT id FROM ${source.table} WHERE tenant = ? AND id = ?`).bind(tenant, after));
  }
  const [found, cursor] = await db.batch<Row>(statements);
  if (cursor?.results.length === 0) return err("unknown_cursor");
  const rows = found?.results ?? [];
  return ok({ rows: rows.slice(0, limit).map((row) => readRow<R>(row)), hasMore: rows.length > limit });
}
