/** What one transaction of a user's object acts on, and the single values of that object. */
import type { Owner } from "../../session/principal.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import { selectOne } from "../objects/sql-rows.ts";
import type { Erasure } from "./erasure/erasure.ts";

export interface Transaction {
  readonly sql: SqlStorage;
  readonly keys: AuditKeys;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What most APIs need of the object. `ObjectContext` has the rest. */
export interface GuardContext {
  readonly sql: SqlStorage;
  readonly now: () => number;
  /** Runs in a transaction, after pending writes, and after everything that has expired has ended. */
  read<T>(body: (transaction: Transaction) => T): T;
  /** As `read`, for a transaction that may change an approval or a run, or adds a record. */
  change<T>(body: (transaction: Transaction) => T): T;
  /** Resolves with the last look: when it is done, or after `waitMs`. @param look is repeated after each change. */
  wait<T>(look: () => Poll<T>, waitMs: number): Promise<T>;
}

export interface Poll<T> {
  readonly value: T;
  readonly done: boolean;
  /** When the value changes without an event, in milliseconds since the epoch. */
  readonly nextAt: number | undefined;
}

/** What each key holds, as JSON. */
export interface ObjectState {
  /** The last record of the audit chain that was removed from the outbox; a later one is the last there. */
  readonly head: { readonly seq: number; readonly hash: string };
  /** The owner of this object. */
  readonly owner: Owner;
  /** After failed deliveries in a row: the alarm does not ring before `notBefore`. */
  readonly delivery: { readonly failures: number; readonly notBefore: number };
  /**
   * Records up to `seq` are delivered, except those that were refused; the last was at `at`. `marks`: earlier values, about an hour
   * apart, as long as the records up to there are stored.
   */
  readonly delivered: {
    readonly seq: number;
    readonly at: number;
    readonly marks: readonly { readonly seq: number; readonly at: number }[];
  };
  /** The last record that was sent to the trail, and when. Waiting records up to it are on their way. */
  readonly sent: { readonly seq: number; readonly at: number };
  /** `checkpoint`: the last record that retention removed from D1. `oldest`: time of the oldest in D1; null if D1 has none. */
  readonly retention: {
    readonly checkpoint: { readonly seq: number; readonly hash: string } | null;
    readonly oldest: number | null;
    /** When to check again. */
    readonly dueAt: number;
  };
  /** How often an approval changed: the version of the last change. */
  readonly changes: number;
  /** By the URL of each receiver of records: the last that it took, when the next are sent, and how often it failed in a row. */
  readonly exports: Readonly<
    Record<string, { readonly seq: number; readonly next: number; readonly failures: number }>
  >;
  /** The user's erasures, from the order until they are forgotten. */
  readonly erasures: readonly Erasure[];
}

/** Values that each record needs and that hardly ever change: a turn with a call would read them from the table ten times, 30 µs each. */
const REMEMBERED: ReadonlySet<keyof ObjectState> = new Set(["owner", "erasures", "head"]);
/** As they are stored; undefined if they are not. */
const remembered = new WeakMap<SqlStorage, Map<keyof ObjectState, string | undefined>>();

export function readMeta<K extends keyof ObjectState>(sql: SqlStorage, key: K): ObjectState[K] | undefined {
  const known = remembered.get(sql);
  const stored = known?.has(key) ? known.get(key) : selectMeta(sql, key);
  if (!known?.has(key)) remember(sql, key, stored);
  return stored === undefined ? undefined : (JSON.parse(stored) as ObjectState[K]);
}

const selectMeta = (sql: SqlStorage, key: keyof ObjectState): string | undefined =>
  selectOne<{ value: string }>(sql, "SELECT value FROM meta WHERE key = ?", key)?.value;

function remember(sql: SqlStorage, key: keyof ObjectState, stored: string | undefined): void {
  if (REMEMBERED.has(key)) remembered.set(sql, (remembered.get(sql) ?? new Map()).set(key, stored));
}

export function writeMeta<K extends keyof ObjectState>(sql: SqlStorage, key: K, value: ObjectState[K]): void {
  const text = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
  const stored = JSON.stringify(value);
  sql.exec(text, key, stored);
  remember(sql, key, stored);
}

/** @param keys absent: all. */
export function deleteMeta(sql: SqlStorage, keys?: readonly (keyof ObjectState)[]): void {
  if (keys) sql.exec("DELETE FROM meta WHERE key IN (SELECT value FROM json_each(?))", JSON.stringify(keys));
  else sql.exec("DELETE FROM meta");
  forgetMeta(sql);
}

/** Back to the stored values: a transaction that may have changed them has failed. */
export function forgetMeta(sql: SqlStorage): void {
  remembered.delete(sql);
  ends.delete(sql);
}

/** The last record of the chain, stored or removed. Reading it from the outbox takes 20 µs, twice in a turn with a call. */
const ends = new WeakMap<SqlStorage, { readonly seq: number; readonly hash: string }>();

export const chainEnd = (sql: SqlStorage): ObjectState["head"] | undefined => ends.get(sql);

export const noteChainEnd = (sql: SqlStorage, { seq, hash }: ObjectState["head"]): void =>
  void ends.set(sql, { seq, hash });

export type Retention = ObjectState["retention"];

/** Throws if nothing was stored for the user yet: there is nothing to record either. */
export function ownerOf(sql: SqlStorage): Owner {
  const owner = readMeta(sql, "owner");
  if (!owner) throw new Error("the object has no owner: nothing was stored in it");
  return owner;
}

/** The first owner stays. @returns whether the object had none. */
export function noteOwner(sql: SqlStorage, { tenant, user }: Owner): boolean {
  const isNew = readMeta(sql, "owner") === undefined;
  if (isNew) writeMeta(sql, "owner", { tenant, user });
  return isNew;
}
