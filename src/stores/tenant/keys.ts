/**
 * The keys of one tenant, in its TenantLedger. The ledger says what is so, KV follows:
 *
 *  - A new token is a row before it is in KV, and live only once KV has it: a key that nobody can revoke never exists, and
 *    a write that failed, or whose object died, is undone by the alarm.
 *  - Revocation is a row first, which nothing undoes: a rotation under way finds its key revoked and ends its new token.
 *  - What KV refused is done again by the alarm until it is; whoever asked is told (`settled: false`).
 */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import { type KeyProjection, keyProjection } from "./key-projection.ts";
import {
  type Actor,
  confirmKey,
  confirmRotation,
  dueTokens,
  giveUpToken,
  insertKey,
  insertToken,
  type KeyPage,
  type KeyRecord,
  listKeys,
  nextDue,
  readKey,
  revokeKey,
  type StoredKey,
} from "./key-rows.ts";

export type KeyFailure =
  /** No such key, or no more. */
  | "unknown"
  /** Its time is over: a new token would open nothing. */
  | "expired"
  /** KV failed: nothing has changed. */
  | "unavailable";

export interface KeyChange {
  readonly record: KeyRecord;
  /** False where KV did not take an end yet: the token opens until the alarm has brought it about. */
  readonly settled: boolean;
}

export interface KeyLedger {
  /** @param hash the SHA-256 of the token, as hex: the token itself never comes here. */
  create(record: KeyRecord, hash: string): Promise<Result<KeyRecord, KeyFailure>>;
  rotate(id: string, hash: string, overlapMs: number, actor: Actor): Promise<Result<KeyChange, KeyFailure>>;
  revoke(id: string): Promise<Result<{ readonly settled: boolean }, KeyFailure>>;
  read(id: string): StoredKey | undefined;
  list(page: KeyPage): StoredKey[];
  /** Brings about what is due, and answers when to look again. */
  settle(): Promise<number | undefined>;
  /** When the alarm must ring at the latest. */
  next(): number | undefined;
}

export function keyLedger(storage: DurableObjectStorage, kv: KvPort): KeyLedger {
  const { sql } = storage;
  const projection = keyProjection(storage, kv);
  const change = <T>(body: () => T): T => storage.transactionSync(body);
  const bringDue = (key?: string) => bringAll(sql, projection, key);

  /** The first write of a token that has a row; false where it had to be given up. */
  async function write(record: KeyRecord, hash: string): Promise<boolean> {
    try {
      await projection.first(hash, JSON.stringify(record.key));
      return true;
    } catch (error) {
      log("error", "key_token_not_stored", { key: record.key.id, ...describeError(error) });
      change(() => giveUpToken(sql, { hash, key: record.key.id }, Date.now()));
      return false;
    }
  }

  return {
    async create(record, hash) {
      const { id } = record.key;
      change(() => insertKey(sql, record, hash, Date.now()));
      if (!(await write(record, hash))) return err("unavailable");
      return change(() => confirmKey(sql, id, hash)) ? ok(record) : err("unavailable");
    },
    async rotate(id, hash, overlapMs, actor) {
      const stored = readKey(sql, id);
      if (!stored || stored.revoking) return err("unknown");
      if (stored.key.expiresAt !== undefined && stored.key.expiresAt <= Date.now()) return err("expired");
      change(() => insertToken(sql, id, hash, Date.now()));
      if (!(await write(stored, hash))) return err("unavailable");
      if (!change(() => confirmRotation(sql, id, hash, overlapMs, actor, Date.now()))) {
        change(() => giveUpToken(sql, { hash, key: id }, Date.now()));
        await bringDue(id);
        const left = readKey(sql, id);
        return err(left && !left.revoking ? "unavailable" : "unknown");
      }
      const settled = await bringDue(id);
      const record = readKey(sql, id);
      return record && !record.revoking ? ok({ record, settled }) : err("unknown");
    },
    async revoke(id) {
      if (!change(() => revokeKey(sql, id, Date.now()))) return err("unknown");
      return ok({ settled: await bringDue(id) });
    },
    read: (id) => readKey(sql, id),
    list: (page) => listKeys(sql, page),
    async settle() {
      await bringDue();
      return nextDue(sql);
    },
    next: () => nextDue(sql),
  };
}

/** @returns whether KV took all of them; what one round leaves over the alarm goes on with. */
async function bringAll(sql: SqlStorage, projection: KeyProjection, key: string | undefined): Promise<boolean> {
  const now = Date.now();
  let settled = true;
  for (const token of dueTokens(sql, now, key)) {
    if (token.state === "new") giveUpToken(sql, token, now);
    settled = (await projection.bring(token.hash)) && settled;
  }
  return settled && dueTokens(sql, now, key).length === 0;
}
