/** The tables of the audit trail in D1: what is written, verified and removed is so in all of them. */
import type { AuditRecord } from "../../ports/audit-record.ts";

/** One for each kind of record. Only these constants are ever in the text of a statement. */
export const tableOf = {
  turn: "turns",
  decision: "decisions",
  approval: "approvals",
  run: "runs",
  plan: "plans",
  connection: "connections",
} as const satisfies Record<AuditRecord["kind"], string>;

export type AuditTable = (typeof tableOf)[AuditRecord["kind"]];

export const auditTables: readonly AuditTable[] = Object.values(tableOf);

/** A user with any record has one in these tables: decisions and runs are removed before their turn's record. */
export const tablesOfEveryUser = [tableOf.turn, tableOf.approval, tableOf.plan, tableOf.connection] as const;
