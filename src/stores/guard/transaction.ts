import type { AuditKeys } from "../audit/audit-keys.ts";

/** What one transaction of a user's object acts on. */
export interface Transaction {
  readonly sql: SqlStorage;
  readonly keys: AuditKeys;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
