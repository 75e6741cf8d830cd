/** The kinds of audit records: the table of each in D1, and what its list filters by. Only these constants are in the text of a statement. */
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
} as const satisfies Readonly<Record<RecordKind, KindInD1>>;

/** A filter's column, and the index that finds its values in the order of the list; undefined: the table's key. */
export function columnOf(kind: RecordKind, filter: string): readonly [column: string, index: string | undefined] {
  const { table } = recordKinds[kind];
  if (kind === "turn" && filter === "turn") return ["id", undefined];
  return [filter === "grant" ? "granted_by" : filter, `${table}_by_${filter === "made_by" ? "maker" : filter}`];
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
] as const satisfies readonly AuditTable[];
