/**
 * KeyMeter: the Durable Object of one API key (or user of a JWT) that has a request rate limit. It counts the requests, one thread
 * for all locations, so that parallel requests cannot share the last one; the counts are stored before the answer goes out, so an
 * evicted object loses nothing. A key without a limit has no object.
 */
import { DurableObject } from "cloudflare:workers";
import { type EndedLease, type Lease, type LeaseBook, leaseUses, type MeterLimit } from "./leases.ts";
import { type Bucket, takeUse, type UseResult, type Uses } from "./meter-window.ts";
import { mustUpgrade } from "./object-schema.ts";
import { selectAll } from "./sql-rows.ts";

/** Buckets of requests, `n` of them from `first` to `last` (milliseconds since the epoch). */
const schema = [{ up: "CREATE TABLE uses (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, n INTEGER NOT NULL)" }];

export class KeyMeter extends DurableObject {
  private readonly uses: Uses;
  /** Not stored: forgotten requests have counted. */
  private readonly unheard: LeaseBook["unheard"] = new Map();

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    const { sql } = ctx.storage;
    mustUpgrade(ctx.storage, "KeyMeter", schema);
    this.uses = selectAll<{ first: number; last: number; n: number }>(
      sql,
      "SELECT first, last, n FROM uses ORDER BY first",
    );
  }

  async take(limit: MeterLimit): Promise<UseResult> {
    const { n: _, bucket, ...taken } = takeUse(this.uses, limit, Date.now());
    if (bucket) this.store(bucket);
    return taken;
  }

  async lease(limit: MeterLimit, wanted: number, ended: readonly EndedLease[]): Promise<Lease> {
    const { lease, changed } = leaseUses(
      { uses: this.uses, unheard: this.unheard },
      limit,
      { wanted, ended },
      Date.now(),
    );
    for (const bucket of changed) this.store(bucket);
    return lease;
  }

  private store({ first, last, n }: Bucket): void {
    const { sql } = this.ctx.storage;
    sql.exec(
      "INSERT INTO uses (first, last, n) VALUES (?1, ?2, ?3) ON CONFLICT (first) DO UPDATE SET last = ?2, n = ?3",
      first,
      last,
      n,
    );
    sql.exec("DELETE FROM uses WHERE first < ?", this.uses[0]?.first ?? first);
  }
}
