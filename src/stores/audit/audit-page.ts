/** Pages of one of the audit trail's tables, by time, and by the index that finds what is asked for in that order. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { AuditRecord, SealedRecord } from "../../ports/audit-record.ts";
import { type AuditRow, readRow } from "./audit-row.ts";
import type { AuditTable } from "./audit-tables.ts";

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

/** A column, the value that is asked for, and the index that finds it in the order of the list. */
export type Equality = readonly [column: string, value: string | undefined, index: string | undefined];

/** Where rows come from, and the columns that they are ordered by. Only constants: nothing of a request is in SQL text. */
export interface Source {
  readonly table: AuditTable;
  readonly from: string;
  readonly tenant: string;
  readonly at: string;
  readonly id: string;
}

/**
 * Names the index of the first equality given, the most selective: by itself SQLite takes a bounded time for more selective
 * than a user, and would read a whole tenant's month.
 */
export function byRecord(table: AuditTable, equals: readonly Equality[]): Source {
  const given = equals.find(([, value]) => value !== undefined);
  const index = given ? given[2] : `${table}_by_time`;
  const from = index === undefined ? `${table} t` : `${table} t INDEXED BY ${index}`;
  return { table, from, tenant: "t.tenant", at: "t.at", id: "t.id" };
}

export interface PageQuery {
  readonly source: Source;
  readonly equals: readonly Equality[];
  readonly from?: number;
  readonly to?: number;
}

export async function queryPage<R extends AuditRecord>(
  db: D1Database,
  tenant: string,
  { source, equals, from, to }: PageQuery,
  { limit = 20, after, order = "desc" }: PageRequest,
): Promise<Result<Page<R>, UnknownCursor>> {
  const direction = order === "asc" ? { sql: "ASC", beyond: ">" } : { sql: "DESC", beyond: "<" };
  // No chain begins below 1: what stands there was put past the gateway.
  const conditions: (readonly [sql: string, ...values: (string | number)[]])[] = [
    [`${source.tenant} = ?`, tenant],
    ["t.seq > 0"],
  ];
  for (const [column, value] of equals) {
    if (value !== undefined) conditions.push([`${column} = ?`, value]);
  }
  if (from !== undefined) conditions.push([`${source.at} >= ?`, from]);
  if (to !== undefined) conditions.push([`${source.at} < ?`, to]);
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
  const [found, cursor] = await db.batch<AuditRow>(statements);
  if (cursor?.results.length === 0) return err("unknown_cursor");
  const rows = found?.results ?? [];
  return ok({ rows: rows.slice(0, limit).map((row) => readRow<R>(row)), hasMore: rows.length > limit });
}
