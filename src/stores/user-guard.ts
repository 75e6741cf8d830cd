/**
 * UserGuard: the Durable Object of one user of one tenant. One thread and transactions, so counts are exact: two
 * parallel turns cannot both spend the last use, and nothing runs unrecorded.
 *
 * The object has one alarm. It delivers the audit outbox to D1 and sweeps what has expired. An alarm gives up after a
 * few failures, so a failed delivery is caught and armed again.
 */
import { DurableObject } from "cloudflare:workers";
import type { Principal } from "../session/principal.ts";
import type {
  CloseRequest,
  Decided,
  DecideRequest,
  Opened,
  OpenRequest,
  SessionInfo,
  UserGuardPort,
} from "../turn/guard-port.ts";
import { type AuditKeys, parseAuditKeys } from "./audit-keys.ts";
import { deliverRecords } from "./d1-audit.ts";
import { closeLostTurns, closeTurn, giveBack } from "./guard/close.ts";
import { decideStep } from "./guard/decide.ts";
import { openTurn } from "./guard/open.ts";
import { dropDelivered, readBatch, readOwner, setMeta } from "./guard/outbox.ts";
import { createTables } from "./guard/schema.ts";
import { forgetSession, readSession, sweep } from "./guard/sessions.ts";

export interface GuardEnv {
  readonly AUDIT_DB: D1Database;
  readonly AUDIT_KEY?: string;
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
  private armedAt: number | undefined;
  private failures = 0;
  private sweptAt = 0;
  /** What was answered and is not yet written. */
  private behind: { readonly session: string; readonly write: () => void }[] = [];
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: GuardEnv) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
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

  /** What the client's next request must find is written at once. */
  async close(request: CloseRequest): Promise<void> {
    this.later(request.session, () => {
      closeTurn(this.sql, this.keys, request, Date.now());
      this.arm(GATHER_MS);
    });
    if (request.taskGoesOn || request.hidden.length > 0) this.writeBehind();
  }

  async giveBack(ordinals: readonly number[]): Promise<void> {
    this.writeBehind();
    this.transact(() => giveBack(this.sql, ordinals));
  }

  async consent(principal: Principal, tool: string, session: string | undefined): Promise<void> {
    this.transact(() => {
      const { tenant, user } = principal;
      if (!readOwner(this.sql)) setMeta(this.sql, "owner", JSON.stringify({ tenant, user }));
      this.sql.exec(
        "INSERT INTO gates (tool, session, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        tool,
        session ?? "",
        Date.now(),
      );
    });
  }

  async withdraw(tool: string): Promise<boolean> {
    return this.sql.exec("DELETE FROM gates WHERE tool = ? RETURNING tool", tool).toArray().length > 0;
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
      }
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      console.error("audit delivery failed, will be tried again:", error instanceof Error ? error.message : error);
      this.arm(Math.min(1000 * 2 ** this.failures, MAX_BACKOFF_MS));
      return;
    }
    if (this.isInUse()) this.arm(SWEEP_MS);
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    this.transact(() => {
      closeLostTurns(this.sql, this.keys, now);
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
      try {
        this.transact(write);
      } catch (error) {
        console.error(`session ${session} could not be written:`, error instanceof Error ? error.message : error);
      }
    }
  }

  private transact<T>(body: () => T): T {
    return this.ctx.storage.transactionSync(body);
  }

  /** Makes sure that the alarm rings at the latest in `delayMs`. */
  private arm(delayMs: number): void {
    const at = Date.now() + delayMs;
    if (this.armedAt !== undefined && this.armedAt <= at) return;
    this.armedAt = at;
    void this.ctx.storage.setAlarm(at);
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
