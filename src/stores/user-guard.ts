/**
 * UserGuard: the Durable Object of one user of one tenant. One thread and transactions, so counts are exact: two
 * parallel turns cannot both spend the last use, and nothing runs unrecorded.
 *
 * The object has one alarm. It delivers the audit outbox to D1 and sweeps what has expired. An alarm gives up after a
 * few failures, so a failed delivery is caught and armed again.
 */
import { DurableObject } from "cloudflare:workers";
import { describeError } from "../lib/describe-error.ts";
import { log, setLogLevel } from "../lib/log.ts";
import type { Principal } from "../session/principal.ts";
import { noTelemetry, readTelemetry, type TelemetrySettings, type TelemetryVariables } from "../settings/telemetry.ts";
import { countDelivery } from "../telemetry/metrics/count-delivery.ts";
import type {
  CloseRequest,
  Decided,
  DecideRequest,
  KeepRequest,
  Opened,
  OpenRequest,
  SessionInfo,
  UserGuardPort,
} from "../turn/guard-port.ts";
import { type AuditKeys, parseAuditKeys } from "./audit-keys.ts";
import { deliverRecords } from "./d1-audit.ts";
import { closeLostTurn, closeTurn, forgetClosedTurns, giveBack, keepHidden, lostTurns } from "./guard/close.ts";
import { decideStep } from "./guard/decide.ts";
import { openGate, withdrawGate } from "./guard/gates.ts";
import { openTurn } from "./guard/open.ts";
import { dropDelivered, readBatch } from "./guard/outbox.ts";
import { createTables } from "./guard/schema.ts";
import { forgetSession, readSession, sweep } from "./guard/sessions.ts";
import type { MetricsHub } from "./metrics-hub.ts";

export interface GuardEnv extends TelemetryVariables {
  readonly AUDIT_DB: D1Database;
  readonly AUDIT_KEY?: string;
  readonly METRICS_HUB: DurableObjectNamespace<MetricsHub>;
}

/** Records that come within this time are delivered together. */
const GATHER_MS = 250;
/** How long opens and closes may wait, to be written together. */
const BEHIND_MS = 20;
/** When the alarm rings for sweeping alone. */
const SWEEP_MS = 3600_000;
/** Deliveries ring it more often than there is something to sweep. */
const SWEEP_EVERY_MS = 60_000;
const MAX_BACKOFF_MS = 300_000;

export class UserGuard extends DurableObject<GuardEnv> implements UserGuardPort {
  private readonly sql: SqlStorage;
  private readonly keys: AuditKeys;
  private readonly telemetry: TelemetrySettings;
  private armedAt: number | undefined;
  private failures = 0;
  /** After a failed delivery: the alarm does not ring before. */
  private notBefore = 0;
  private sweptAt = 0;
  /** What was answered and is not yet written. */
  private behind: { readonly session: string; readonly write: () => void }[] = [];
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: GuardEnv) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    const telemetry = readTelemetry(env);
    this.telemetry = telemetry.ok ? telemetry.value : noTelemetry;
    setLogLevel(this.telemetry.logLevel);
    const keys = parseAuditKeys(env.AUDIT_KEY ?? "");
    // Without a key nothing could be recorded, so nothing may be decided.
    if (!keys.ok) throw new Error(`AUDIT_KEY: ${keys.error}`);
    this.keys = keys.value;
    createTables(this.sql);
    ctx.blockConcurrencyWhile(async () => {
      this.armedAt = (await ctx.storage.getAlarm()) ?? undefined;
    });
  }

  /**
   * A plain open is answered from what is stored and from what is still to be written, and written behind the answer:
   * the model need not wait for a commit. If it dies with the object, the turn is unknown, and decides nothing.
   */
  async open(request: OpenRequest): Promise<Opened> {
    const { id, pair } = request.session;
    const waits = request.resent || pair !== undefined || this.behind.some(({ session }) => session === id);
    if (waits) this.writeBehind();
    const { opened, write, urgent } = this.transact(() => {
      const turn = openTurn(this.sql, request, Date.now());
      if (turn.urgent) turn.write();
      return turn;
    });
    if (!urgent) this.later(opened.session, write);
    this.arm(SWEEP_MS);
    return opened;
  }

  async decide(request: DecideRequest): Promise<readonly Decided[]> {
    this.writeBehind();
    const decided = this.transact(() => decideStep(this.sql, this.keys, request, Date.now()));
    this.arm(GATHER_MS);
    return decided;
  }

  async keep(request: KeepRequest): Promise<void> {
    this.writeBehind();
    this.transact(() => keepHidden(this.sql, request));
  }

  /** What the client's next request must find is written at once. */
  async close(request: CloseRequest): Promise<void> {
    this.later(request.session, () => {
      closeTurn(this.sql, this.keys, request, Date.now());
      this.arm(GATHER_MS);
    });
    if (request.taskGoesOn) this.writeBehind();
  }

  async giveBack(ordinals: readonly number[]): Promise<void> {
    this.writeBehind();
    this.transact(() => giveBack(this.sql, ordinals));
  }

  async consent(principal: Principal, tool: string, session: string | undefined): Promise<boolean> {
    this.writeBehind();
    return this.transact(() => openGate(this.sql, principal, tool, session, Date.now()));
  }

  async withdraw(tool: string): Promise<boolean> {
    return this.transact(() => withdrawGate(this.sql, tool));
  }

  async session(id: string): Promise<SessionInfo | undefined> {
    this.writeBehind();
    return readSession(this.sql, id);
  }

  async setMode(id: string, mode: string): Promise<SessionInfo | undefined> {
    this.writeBehind();
    this.sql.exec("UPDATE sessions SET mode = ? WHERE id = ?", mode, id);
    return readSession(this.sql, id);
  }

  async deleteSession(id: string): Promise<boolean> {
    this.writeBehind();
    return this.transact(() => forgetSession(this.sql, id));
  }

  override async alarm(): Promise<void> {
    this.armedAt = undefined;
    this.writeBehind();
    const now = Date.now();
    if (now - this.sweptAt >= SWEEP_EVERY_MS) this.sweep(now);
    try {
      for (let batch = readBatch(this.sql); batch.length > 0; batch = readBatch(this.sql)) {
        await deliverRecords(this.env.AUDIT_DB, batch);
        dropDelivered(this.sql, batch.at(-1)?.seq ?? 0);
        this.count(batch.length);
      }
      this.failures = 0;
      this.notBefore = 0;
    } catch (error) {
      this.failures += 1;
      log("error", "audit_delivery_failed", { attempt: this.failures, ...describeError(error) });
      this.count("failed");
      this.backOff(Math.min(1000 * 2 ** this.failures, MAX_BACKOFF_MS));
      return;
    }
    if (this.isInUse()) this.arm(SWEEP_MS);
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    // Each on its own, and caught: what cannot be sealed or swept must not hold up the delivery.
    for (const turn of lostTurns(this.sql, now)) {
      this.attempt("lost_turn_not_recorded", { turn }, () => closeLostTurn(this.sql, this.keys, turn, now));
    }
    this.attempt("sweep_failed", {}, () => {
      forgetClosedTurns(this.sql, now);
      sweep(this.sql, now);
    });
  }

  private later(session: string, write: () => void): void {
    this.behind.push({ session, write });
    this.writing ??= setTimeout(() => this.writeBehind(), BEHIND_MS);
  }

  /** In order; each a transaction of its own, so that one that fails takes no other with it. */
  private writeBehind(): void {
    if (this.writing !== undefined) clearTimeout(this.writing);
    this.writing = undefined;
    const behind = this.behind;
    this.behind = [];
    for (const { session, write } of behind) {
      this.attempt("session_not_written", { session }, write);
    }
  }

  /** A transaction that may fail alone; it is logged. */
  private attempt(event: string, fields: Readonly<Record<string, unknown>>, body: () => void): void {
    try {
      this.transact(body);
    } catch (error) {
      log("error", event, { ...fields, ...describeError(error) });
    }
  }

  private transact<T>(body: () => T): T {
    return this.ctx.storage.transactionSync(body);
  }

  /** Makes sure that the alarm rings at the latest in `delayMs`, or when the back-off ends. */
  private arm(delayMs: number): void {
    const at = Math.max(Date.now() + delayMs, this.notBefore);
    if (this.armedAt !== undefined && this.armedAt <= at) return;
    this.armedAt = at;
    void this.ctx.storage.setAlarm(at);
  }

  private backOff(delayMs: number): void {
    this.notBefore = Date.now() + delayMs;
    // Turns that came during the delivery may have armed it for an earlier time.
    this.armedAt = undefined;
    this.arm(delayMs);
  }

  /** Off unless metrics are on. */
  private count(delivered: number | "failed"): void {
    const { metrics } = this.telemetry;
    if (!metrics) return;
    const { METRICS_HUB: hubs } = this.env;
    countDelivery(
      delivered,
      () => hubs.get(hubs.idFromName("hub")),
      metrics,
      (work) => this.ctx.waitUntil(work),
    );
  }

  private isInUse(): boolean {
    const { n } = this.sql
      .exec<{ n: number }>(
        "SELECT (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM uses) + (SELECT COUNT(*) FROM turns) AS n",
      )
      .one();
    return n > 0;
  }
}
