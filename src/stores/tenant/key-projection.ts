/** Writes the tokens of a TenantLedger's rows (`key-rows.ts`) to KV, one after the other. */
import { storageKey } from "../../auth/kv-keys.ts";
import { serial } from "../../lib/concurrency.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import { endToken, postpone, readKey, readToken, settleToken, type TokenRow } from "./key-rows.ts";

export interface KeyProjection {
  /** Writes or deletes one token in KV. @returns false if KV failed: the token is due again. Never throws. */
  sync(hash: string): Promise<boolean>;
  /** The first write of a token, before a row confirms it. Throws if KV fails. */
  writeFirst(hash: string, value: string): Promise<void>;
}

const MAX_BACKOFF_MS = 300_000;
const ANSWER_MS = 10_000;

export function keyProjection(storage: DurableObjectStorage, kv: KvPort): KeyProjection {
  const { sql } = storage;
  const inTurn = serial();
  const put = (hash: string, value: string) => withTimeout(ANSWER_MS, kv.put(storageKey(hash), value));
  const remove = (hash: string) => withTimeout(ANSWER_MS, kv.delete(storageKey(hash)));
  let failures = 0;

  async function bring(hash: string): Promise<boolean> {
    const row = storage.transactionSync(() => currentToken(sql, hash, Date.now()));
    if (!row) return true;
    try {
      const value = valueFor(sql, row);
      await (value === undefined ? remove(hash) : put(hash, value));
      storage.transactionSync(() => settleToken(sql, row, Date.now()));
      failures = 0;
      return true;
    } catch (error) {
      failures += 1;
      const inMs = Math.min(1000 * 2 ** failures, MAX_BACKOFF_MS);
      log("error", "key_not_projected", {
        key: row.key,
        ends: row.state === "ended",
        retryMs: inMs,
        ...describeError(error),
      });
      storage.transactionSync(() => postpone(sql, hash, Date.now() + inMs));
      return false;
    }
  }

  return {
    sync: (hash) => inTurn(() => bring(hash)),
    writeFirst: (hash, value) => inTurn(() => put(hash, value)),
  };
}

/** The token's row; a rotated token that has expired is ended first. */
function currentToken(sql: SqlStorage, hash: string, now: number): TokenRow | undefined {
  const row = readToken(sql, hash);
  if (row?.state !== "live" || row.ends === null || row.ends > now) return row;
  endToken(sql, hash);
  return readToken(sql, hash);
}

/** The value that KV must have for a token; undefined: none. */
function valueFor(sql: SqlStorage, row: TokenRow): string | undefined {
  const stored = row.state === "ended" ? undefined : readKey(sql, row.key);
  if (!stored || stored.revoking) return undefined;
  const { key } = stored;
  const ends = Math.min(row.ends ?? Number.POSITIVE_INFINITY, key.expiresAt ?? Number.POSITIVE_INFINITY);
  return JSON.stringify(Number.isFinite(ends) ? { ...key, expiresAt: ends } : key);
}
