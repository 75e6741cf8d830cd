/**
 * TenantLedger: the Durable Object of one tenant. It serialises operators' writes, so that two of them cannot undo each
 * other unseen. Each subject has a file of its own in `tenant/`; this class gives it the storage, KV and the one alarm.
 */

import { DurableObject } from "cloudflare:workers";
import { describeError } from "../lib/describe-error.ts";
import { log } from "../lib/log.ts";
import type { Result } from "../lib/result.ts";
import type { Actor, KeyPage, KeyRecord, StoredKey } from "./tenant/key-rows.ts";
import { type KeyChange, type KeyFailure, type KeyLedger, keyLedger } from "./tenant/keys.ts";

export interface LedgerEnv {
  readonly KV: KVNamespace;
}

/** How soon the alarm rings again after what should not happen: an alarm that throws is given up after a few times. */
const AFTER_FAILURE_MS = 60_000;

export class TenantLedger extends DurableObject<LedgerEnv> {
  private readonly keys: KeyLedger;

  constructor(ctx: DurableObjectState, env: LedgerEnv) {
    super(ctx, env);
    this.keys = keyLedger(ctx.storage, env.KV);
  }

  async createKey(record: KeyRecord, hash: string): Promise<Result<KeyRecord, KeyFailure>> {
    return this.armed(() => this.keys.create(record, hash));
  }

  async rotateKey(id: string, hash: string, overlapMs: number, actor: Actor): Promise<Result<KeyChange, KeyFailure>> {
    return this.armed(() => this.keys.rotate(id, hash, overlapMs, actor));
  }

  async revokeKey(id: string): Promise<Result<{ readonly settled: boolean }, KeyFailure>> {
    return this.armed(() => this.keys.revoke(id));
  }

  async readKey(id: string): Promise<StoredKey | undefined> {
    return this.keys.read(id);
  }

  async listKeys(page: KeyPage): Promise<StoredKey[]> {
    return this.keys.list(page);
  }

  override async alarm(): Promise<void> {
    let due: number | undefined;
    try {
      due = await this.keys.settle();
    } catch (error) {
      log("error", "ledger_alarm_failed", describeError(error));
      due = Date.now() + AFTER_FAILURE_MS;
    }
    if (due !== undefined) await this.ctx.storage.setAlarm(due);
  }

  /** The alarm is set from the rows, while the work waits for KV (it may die with the object) and after it. */
  private async armed<T>(work: () => Promise<T>): Promise<T> {
    const [done] = await Promise.all([work(), this.arm()]);
    await this.arm();
    return done;
  }

  private async arm(): Promise<void> {
    const due = this.keys.next();
    if (due === undefined) return;
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > due) await this.ctx.storage.setAlarm(due);
  }
}
