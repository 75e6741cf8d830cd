/**
 * The rows of API keys in a TenantLedger, and every change of them: synchronous, each called in a transaction. KV follows these rows
 * (`key-projection.ts`). An ended token and a revoked key stay so, whatever comes later.
 */
import type { Actor, KeyPage, KeyRecord, StoredKey } from "../../ports/tenant-ledger-port.ts";
import { readSqlPage, selectAll, selectOne } from "../objects/sql-rows.ts";

/** The tables of a TenantLedger that hold API keys. */

export const keyTables = `
-- A key as operators see it; KV holds what requests are checked against. record: JSON of a KeyRecord. state: new until KV
-- has its first token, then live; revoked until KV has none of its tokens any more, then the row goes.
CREATE TABLE keys (id TEXT PRIMARY KEY, record TEXT NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
-- A key's tokens, by the SHA-256 of each. state: new until KV has it, then live; ended where KV must not have it, which
-- nothing undoes. ends: when a rotated token ends. swept: times that KV has deleted it. due: when KV must be brought in
-- line (again); NULL where it is.
CREATE TABLE key_tokens (
  hash TEXT PRIMARY KEY, key TEXT NOT NULL, state TEXT NOT NULL, ends INTEGER, swept INTEGER NOT NULL DEFAULT 0, due INTEGER
) WITHOUT ROWID;
CREATE INDEX key_tokens_key ON key_tokens (key);
CREATE INDEX key_tokens_due ON key_tokens (due);`;

export interface TokenRow extends Record<string, SqlStorageValue> {
  readonly hash: string;
  readonly key: string;
  readonly state: "new" | "live" | "ended";
  readonly ends: number | null;
  readonly swept: number;
}

/** After this time the first write of a token counts as failed. */
const NEW_MS = 60_000;
/** Each deletion is repeated after this time: a late write of an object that died may have undone it. */
const SECOND_DELETE_MS = 120_000;

export function insertKey(sql: SqlStorage, record: KeyRecord, hash: string, now: number): void {
  sql.exec("INSERT INTO keys (id, record, state) VALUES (?, ?, 'new')", record.key.id, JSON.stringify(record));
  insertToken(sql, record.key.id, hash, now);
}

export function insertToken(sql: SqlStorage, id: string, hash: string, now: number): void {
  sql.exec("INSERT INTO key_tokens (hash, key, state, due) VALUES (?, ?, 'new', ?)", hash, id, now + NEW_MS);
}

/** KV has the key's first token. @returns false if the token was abandoned meanwhile. */
export function confirmKey(sql: SqlStorage, id: string, hash: string): boolean {
  if (!confirmToken(sql, hash)) return false;
  sql.exec("UPDATE keys SET state = 'live' WHERE id = ? AND state = 'new'", id);
  return true;
}

/** KV has the key's next token: the others end. @returns false if the key was revoked meanwhile. */
export function confirmRotation(
  sql: SqlStorage,
  id: string,
  hash: string,
  overlapMs: number,
  actor: Actor,
  now: number,
): boolean {
  const stored = readKey(sql, id);
  if (!stored || stored.revoking || !confirmToken(sql, hash)) return false;
  const ends = now + overlapMs;
  sql.exec(
    `UPDATE key_tokens SET ends = MIN(COALESCE(ends, ?1), ?1), due = ?2, state = CASE WHEN ?1 <= ?2 THEN 'ended' ELSE state END
     WHERE key = ?3 AND hash <> ?4 AND state = 'live'`,
    ends,
    now,
    id,
    hash,
  );
  const { revoking: _, ...record } = stored;
  const rotated: KeyRecord = { ...record, rotatedAt: now, rotatedBy: actor };
  sql.exec("UPDATE keys SET record = ? WHERE id = ?", JSON.stringify(rotated), id);
  return true;
}

function confirmToken(sql: SqlStorage, hash: string): boolean {
  return (
    sql.exec("UPDATE key_tokens SET state = 'live', due = NULL WHERE hash = ? AND state = 'new'", hash).rowsWritten > 0
  );
}

/** For a token that KV never took. A key without another token is deleted with it. */
export function abandonToken(sql: SqlStorage, { hash, key }: Pick<TokenRow, "hash" | "key">, now: number): void {
  sql.exec("UPDATE key_tokens SET state = 'ended', due = ? WHERE hash = ?", now, hash);
  sql.exec("DELETE FROM keys WHERE id = ? AND state = 'new'", key);
}

/** @returns false if there is no such key. */
export function revokeKey(sql: SqlStorage, id: string, now: number): boolean {
  if (!readKey(sql, id)) return false;
  sql.exec("UPDATE keys SET state = 'revoked' WHERE id = ?", id);
  sql.exec("UPDATE key_tokens SET state = 'ended', due = ? WHERE key = ? AND swept = 0", now, id);
  return true;
}

/** @returns undefined for a key without its first token yet, and for a deleted one. */
export function readKey(sql: SqlStorage, id: string): StoredKey | undefined {
  const [row] = selectAll<KeyRow>(sql, "SELECT record, state FROM keys WHERE id = ? AND state <> 'new'", id);
  return row && fromRow(row);
}

/** Keys by age, which their ids sort by. */
export function listKeys(sql: SqlStorage, { user, ...page }: KeyPage) {
  const ofUser = user === undefined ? undefined : (["json_extract(record, '$.key.user') = ?", user] as const);
  const query = { table: "keys", key: "id", conditions: [["state <> 'new'"] as const, ofUser] };
  const { rows, hasMore } = readSqlPage<KeyRow>(sql, query, page);
  return { data: rows.map(fromRow), hasMore };
}

export function readToken(sql: SqlStorage, hash: string): TokenRow | undefined {
  return selectOne<TokenRow>(sql, `SELECT ${TOKEN} FROM key_tokens WHERE hash = ?`, hash);
}

/** Tokens that KV must be synchronised for, of one key or of all. */
export function dueTokens(sql: SqlStorage, now: number, key?: string): TokenRow[] {
  const where = key === undefined ? "due <= ?" : "due <= ? AND key = ?";
  const bound = key === undefined ? [now] : [now, key];
  return selectAll<TokenRow>(sql, `SELECT ${TOKEN} FROM key_tokens WHERE ${where} ORDER BY due LIMIT 100`, ...bound);
}

export function nextDue(sql: SqlStorage): number | undefined {
  const { due } = sql.exec<{ due: number | null }>("SELECT MIN(due) AS due FROM key_tokens").one();
  return due ?? undefined;
}

export function postpone(sql: SqlStorage, hash: string, due: number): void {
  sql.exec("UPDATE key_tokens SET due = ? WHERE hash = ?", due, hash);
}

/** A rotated token has expired. */
export function endToken(sql: SqlStorage, hash: string): void {
  sql.exec("UPDATE key_tokens SET state = 'ended' WHERE hash = ?", hash);
}

/** KV now has the state of `written`; a later change stays due. */
export function settleToken(sql: SqlStorage, written: TokenRow, now: number): void {
  const { hash, key, state, ends, swept } = written;
  if (state !== "ended") {
    sql.exec("UPDATE key_tokens SET due = ? WHERE hash = ? AND state = ? AND ends IS ?", ends, hash, state, ends);
    return;
  }
  if (swept > 0) sql.exec("DELETE FROM key_tokens WHERE hash = ?", hash);
  else sql.exec("UPDATE key_tokens SET swept = 1, due = ? WHERE hash = ?", now + SECOND_DELETE_MS, hash);
  sql.exec(
    `DELETE FROM keys WHERE id = ?1 AND state = 'revoked'
     AND NOT EXISTS (SELECT 1 FROM key_tokens WHERE key = ?1 AND swept = 0)`,
    key,
  );
}

const TOKEN = "hash, key, state, ends, swept";

type KeyRow = { record: string; state: string };

const fromRow = ({ record, state }: KeyRow): StoredKey => ({
  ...(JSON.parse(record) as KeyRecord),
  revoking: state === "revoked",
});
