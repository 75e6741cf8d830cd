/**
 * KeyMeter: the Durable Object of one API key (or user of a JWT) that has a request rate limit. It counts the requests,
 * one thread for all locations, so that parallel requests cannot share the last one; the counts are stored before the
 * answer goes out, so an evicted object forgets nothing. A key without a limit has no object.
 */
import { DurableObject } from "cloudflare:workers";
import { type Taken, takeUse, type Uses } from "./meter-window.ts";

export class KeyMeter extends DurableObject {
  private readonly uses: Uses = new Map();

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    const { sql } = ctx.storage;
    // at: the time that `n` requests count as made at, in milliseconds since the epoch.
    sql.exec("CREATE TABLE IF NOT EXISTS uses (at INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
    for (const { at, n } of sql.exec<{ at: number; n: number }>("SELECT at, n FROM uses ORDER BY at")) {
      this.uses.set(at, n);
    }
  }

  async take(limit: { readonly max: number; readonly windowMs: number }): Promise<Taken> {
    const now = Date.now();
    const taken = takeUse(this.uses, limit, now);
    if (taken.at !== undefined) this.store(taken.at, now - limit.windowMs);
    return taken;
  }

  private store(at: number, gone: number): void {
    const { sql } = this.ctx.storage;
    sql.exec("INSERT INTO uses (at, n) VALUES (?, 1) ON CONFLICT (at) DO UPDATE SET n = n + 1", at);
    sql.exec("DELETE FROM uses WHERE at <= ?", gone);
  }
}
