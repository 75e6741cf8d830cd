/**
 * The kinds of audit records: the table of each in D1, and the filters of its list. Only these constants are in the text of a
 * statement.
 */
import type { AuditRecord } from "../../ports/audit-record.ts";

export type RecordKind = AuditRecord["kind"];
export type RecordOf<K extends RecordKind> = Extract<AuditRecord, { readonly kind: K }>;

interface KindInD1 {
  readonly table: string;
  /** Names of the query's parameters; the most selective first. */
  readonly filters: readonly string[];
}

export const recordKinds = {
  turn: { table: "turns", filters: ["turn", "plan", "session", "user", "stop_reason", "arm"] },
  decision: {
    table: "decisions",
    filters: ["approval", "undoes", "turn", "plan", "grant", "session", "user", "tool", "made_by", "effect"],
  },
  approval: { table: "approvals", filters: ["approval", "turn", "session", "user", "tool", "event"] },
  run: { table: "runs", filters: ["decision", "turn", "session", "user", "tool", "status", "executor"] },
  plan: { table: "plans", filters: ["plan", "turn", "session", "user", "event", "status"] },
  connection: { table: "connections", filters: ["user", "provider", "event"] },
  reset: { table: "resets", filters: ["user", "event"] },
  change: { table: "changes", filters: ["user", "event"] },
  erased: { table: "erased_records", filters: ["user"] },
} as const satisfies Readonly<Record<RecordKind, KindInD1>>;

/** The value that most records of a kind have: the index by this column has only the others, and these are found by time. */
const usual: Readonly<Record<string, string>> = {
  "turn.stop_reason": "completed",
  "decision.effect": "allow",
  "run.status": "succeeded",
};

interface FilterColumn {
  readonly column: string;
  /** Finds the value in the order of the list; undefined: the table's key. */
  readonly index: string | undefined;
  /** The value that the index leaves out, which a statement must exclude to use it. */
  readonly without: string | undefined;
}

export function columnOf(kind: RecordKind, filter: string, value: string): FilterColumn {
  const { table } = recordKinds[kind];
  if (kind === "turn" && filter === "turn") return { column: "id", index: undefined, without: undefined };
  const column = filter === "grant" ? "granted_by" : filter;
  const without = usual[`${kind}.${filter}`];
  if (without === value) return { column, index: `${table}_by_time`, without: undefined };
  return { column, index: `${table}_by_${filter === "made_by" ? "maker" : filter}`, without };
}

/** The code of one of a decision's reasons, which have a table of their own. */
type ReasonFilter<K extends RecordKind> = K extends "decision" ? "reason" : never;

export type FilterName<K extends RecordKind> = (typeof recordKinds)[K]["filters"][number] | ReasonFilter<K>;

export type AuditTable = (typeof recordKinds)[RecordKind]["table"];

export const auditTables: readonly AuditTable[] = Object.values(recordKinds).map(({ table }) => table);

/** A user with any record has one in these tables: decisions and runs are removed before their turn's record. */
export const tablesOfEveryUser = [
  "turns",
  "approvals",
  "plans",
  "connections",
  "resets",
  "changes",
  "erased_records",
] as const satisfies readonly AuditTable[];

/** For `WITH RECURSIVE`: the tenants in each table, as `of_turns`, `of_approvals` and so on. Reads a row for each, by index. */
export const TENANTS_OF_TABLES = tablesOfEveryUser
  .map(
    (table) => `of_${table} (tenant) AS (
      SELECT MIN(tenant) FROM ${table}
      UNION ALL SELECT (SELECT MIN(t.tenant) FROM ${table} t WHERE t.tenant > of_${table}.tenant) FROM of_${table}
      WHERE of_${table}.tenant IS NOT NULL)`,
  )
  .join(", ");

/** The names in the tables `of_turns`, `of_approvals` and so on, each once. In halves: D1 takes five terms in a compound SELECT. */
export function namesInTables(column: "tenant" | "user"): string {
  const selects = tablesOfEveryUser.map((table) => `SELECT ${column} FROM of_${table}`);
  const half = Math.ceil(selects.length / 2);
  const halves = [selects.slice(0, half), selects.slice(half)];
  return halves.map((some) => `SELECT ${column} FROM (${some.join(" UNION ")})`).join(" UNION ");
}
