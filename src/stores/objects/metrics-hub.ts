/**
 * MetricsHub: one Durable Object in all. It sums the isolates' counts, so that a scrape sees the whole gateway, and stores the sums,
 * so that counters do not restart with it. It also knows whether audit records reach the database.
 */
import { DurableObject } from "cloudflare:workers";
import { DAY_MS } from "../../lib/time.ts";
import type { Batch, MetricsHubPort } from "../../ports/telemetry-port.ts";
import { renderMetrics } from "../../telemetry/metrics/catalogue.ts";
import {
  DEAD_LETTERS_LAST_MS,
  isWithin,
  TROUBLE_LASTS_MS,
  type TrailHealthPort,
  type TrailStatus,
} from "../../telemetry/trail-health.ts";
import { mustUpgrade } from "./object-schema.ts";
import { selectAll } from "./sql-rows.ts";

/** No batch of an isolate is sent again after this time. */
const FORGET_MS = DAY_MS;

const schema = [
  {
    up: `
-- A counter, or the sum or one bucket of a histogram.
CREATE TABLE sums (series TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
-- The last batch of each isolate: one that is sent again is counted once.
CREATE TABLE isolates (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;`,
  },
  {
    up: `
-- One row: when a delivery of audit records last failed, and when one did since the database had no room.
CREATE TABLE failed_deliveries (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL, full_at INTEGER);`,
    readableBy: 1,
  },
  {
    up: `
-- When the queue last gave up messages of audit records.
ALTER TABLE failed_deliveries ADD COLUMN dead_at INTEGER;`,
    readableBy: 1,
  },
  {
    up: `
-- One row: when a receiver of records last took none.
CREATE TABLE failed_exports (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL);`,
    readableBy: 1,
  },
];

export class MetricsHub extends DurableObject implements MetricsHubPort, TrailHealthPort {
  private readonly sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as Cloudflare.Env);
    this.sql = ctx.storage.sql;
    mustUpgrade(ctx.storage, "MetricsHub", schema);
  }

  async add({ isolate, seq, increments }: Batch): Promise<void> {
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      const [known] = selectAll<{ seq: number }>(this.sql, "SELECT seq FROM isolates WHERE id = ?", isolate);
      if (known && seq <= known.seq) return;
      // A new isolate is rare: then old ones are deleted.
      if (!known) this.sql.exec("DELETE FROM isolates WHERE at < ?", now - FORGET_MS);
      this.sql.exec(
        "INSERT INTO isolates (id, seq, at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, at = excluded.at",
        isolate,
        seq,
        now,
      );
      for (const [series, by] of Object.entries(increments)) {
        this.sql.exec(
          "INSERT INTO sums (series, value) VALUES (?, ?) ON CONFLICT (series) DO UPDATE SET value = value + excluded.value",
          series,
          by,
        );
      }
    });
  }

  async render(openMetrics: boolean): Promise<string> {
    const rows = this.sql.exec<{ series: string; value: number }>("SELECT series, value FROM sums");
    return renderMetrics(new Map([...rows].map(({ series, value }) => [series, value])), openMetrics);
  }

  async deliveryFailed(full: boolean): Promise<void> {
    const now = Date.now();
    this.sql.exec(
      `INSERT INTO failed_deliveries (one, at, full_at) VALUES (1, ?1, ?2)
       ON CONFLICT (one) DO UPDATE SET at = ?1, full_at = COALESCE(?2, full_at)`,
      now,
      full ? now : null,
    );
  }

  async deadLettersKept(): Promise<void> {
    this.sql.exec(
      "INSERT INTO failed_deliveries (one, at, dead_at) VALUES (1, ?1, ?1) ON CONFLICT (one) DO UPDATE SET at = ?1, dead_at = ?1",
      Date.now(),
    );
  }

  async exportFailed(): Promise<void> {
    this.sql.exec("INSERT OR REPLACE INTO failed_exports (one, at) VALUES (1, ?)", Date.now());
  }

  async trailStatus(): Promise<TrailStatus> {
    const rows = this.sql.exec<FailedRow>("SELECT at, full_at, dead_at FROM failed_deliveries");
    const [failed] = rows.toArray();
    const now = Date.now();
    const lasts = (at: number | null = null) => at !== null && isWithin(TROUBLE_LASTS_MS, at, now);
    if (lasts(failed?.full_at)) return "full";
    if (lasts(failed?.at)) return "failing";
    const dead = failed?.dead_at ?? undefined;
    if (dead !== undefined && isWithin(DEAD_LETTERS_LAST_MS, dead, now)) return "dead_letters";
    const [exported] = this.sql.exec<{ at: number }>("SELECT at FROM failed_exports").toArray();
    return lasts(exported?.at) ? "export_failing" : "ok";
  }
}

interface FailedRow extends Record<string, SqlStorageValue> {
  readonly at: number;
  readonly full_at: number | null;
  readonly dead_at: number | null;
}
