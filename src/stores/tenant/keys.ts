/**
 * The keys of one tenant, in its TenantLedger. The ledger decides, and KV follows:
 *
 * - A new token is a row before it is in KV, and live only once KV has it. So every key can be revoked, and the alarm undoes a write
 *   that failed or whose object died.
 * - A revocation is a row first, which nothing undoes: a rotation under way finds the key revoked and ends its new token.
 * - The alarm repeats what KV refused; the caller gets `settled: false`.
 */
import { describeError, log } from "../../lib/log.ts";
import { err, ok } from "../../lib/result.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { KeyLedgerPort, KeyRecord } from "../../ports/tenant-ledger-port.ts";
import { type KeyProjection, keyProjection } from "./key-projection.ts";
import {
  abandonToken,
  confirmKey,
  confirmRotation,
  dueTokens,
  insertKey,
  insertToken,
  listKeys,
  nextDue,
  readKey,
  revokeKey,
} from "./key-rows.ts";

export interface KeyLedger extends KeyLedgerPort {
  /** Does what is due in KV. @returns when to look again. */
  settle(): Promise<number | undefined>;
  /** When the alarm must ring at the latest. */
  next(): number | undefined;
}

/** @param schedule is called while a change waits for KV, since the object may die with it, and after the change. */
export function keyLedger(storage: DurableObjectStorage, kv: KvPort, schedule: () => void): KeyLedger {
  const { sql } = storage;
  const projection = keyProjection(storage, kv);
  const change = <T>(body: () => T): T => storage.transactionSync(body);
  const bringDue = (key?: string) => syncAll(sql, projection, key);

  /** The first write of a token that has a row. @returns false if the token was abandoned. */
  async function write(record: KeyRecord, hash: string): Promise<boolean> {
    try {
      await projection.writeFirst(hash, JSON.stringify(record.key));
      return true;
    } catch (error) {
      log("error", "key_token_not_stored", { key: record.key.id, ...describeError(error) });
      change(() => abandonToken(sql, { hash, key: record.key.id }, Date.now()));
      return false;
    }
  }

  /** The alarm is set from the rows, while the work waits for KV and after it. */
  async function scheduled<T>(work: Promise<T>): Promise<T> {
    schedule();
    const done = await work;
    schedule();
    return done;
  }

  const changes = {
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
        change(() => abandonToken(sql, { hash, key: id }, Date.now()));
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
  } satisfies Pick<KeyLedgerPort, "create" | "rotate" | "revoke">;

  return {
    create: (...order) => scheduled(changes.create(...order)),
    rotate: (...order) => scheduled(changes.rotate(...order)),
    revoke: (id) => scheduled(changes.revoke(id)),
    find: async (id) => readKey(sql, id),
    list: async (page) => listKeys(sql, page),
    async settle() {
      await bringDue();
      return nextDue(sql);
    },
    next: () => nextDue(sql),
  };
}

/** @returns whether KV took all of them; the alarm continues with the rest. */
async function syncAll(sql: SqlStorage, projection: KeyProjection, key: string | undefined): Promise<boolean> {
  const now = Date.now();
  let settled = true;
  for (const token of dueTokens(sql, now, key)) {
    if (token.state === "new") abandonToken(sql, token, now);
    settled = (await projection.sync(token.hash)) && settled;
  }
  return settled && dueTokens(sql, now, key).length === 0;
}
