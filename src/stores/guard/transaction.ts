import type { Owner } from "../../session/principal.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import { first } from "./schema.ts";

/** What one transaction of a user's object acts on. */
export interface Transaction {
  readonly sql: SqlStorage;
  readonly keys: AuditKeys;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What each key holds. */
interface Meta {
  /** The last record of the audit chain. */
  readonly head: { readonly seq: number; readonly hash: string };
  /** Whose object this is. */
  readonly owner: Owner;
  /** After failed deliveries in a row: the alarm does not ring before `notBefore`. */
  readonly delivery: { readonly failures: number; readonly notBefore: number };
  /** `checkpoint`: the last record that retention removed from D1. `oldest`: time of the oldest in D1; null where D1 has none. */
  readonly retention: {
    readonly checkpoint: { readonly seq: number; readonly hash: string } | null;
    readonly oldest: number | null;
    /** When to check again. */
    readonly dueAt: number;
  };
  /** How often an approval changed: the version of the last change. */
  readonly changes: number;
}

export function readMeta<K extends keyof Meta>(sql: SqlStorage, key: K): Meta[K] | undefined {
  const row = first(sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = ?", key));
  return row && (JSON.parse(row.value) as Meta[K]);
}

export function writeMeta<K extends keyof Meta>(sql: SqlStorage, key: K, value: Meta[K]): void {
  sql.exec(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    JSON.stringify(value),
  );
}

export type Retention = Meta["retention"];
