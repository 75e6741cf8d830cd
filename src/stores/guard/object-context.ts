/** What the APIs of one user's object share: its storage, its alarm, writes that follow an answer, and requests that wait for a change. */
import { withTimeout } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";
import { AlarmWork, type GuardEnv } from "./alarm/alarm-work.ts";
import { endDue } from "./alarm/expiry.ts";
import type { LazyStorage } from "./lazy-tables.ts";
import { storeMarks } from "./outbox/marks.ts";
import type { GuardContext, Poll, Transaction } from "./transaction.ts";
import { Waiters } from "./waiters.ts";

interface ObjectParts {
  readonly ctx: Pick<DurableObjectState, "storage" | "waitUntil">;
  readonly env: GuardEnv;
  readonly now: () => number;
  readonly keys: AuditKeys;
  /** Why this code, or these settings, may not serve the object. */
  readonly refusal: string | undefined;
  /** Makes and drops tables and indexes as the object needs them. */
  readonly tidy: () => void;
  readonly tryReading: LazyStorage["tryReading"];
}

const AFTER_FAILURE_MS = 60_000;
/**
 * A store that never answers must not keep the object from trying again. Repeated work changes nothing: records have ids, marks only
 * go forward, pieces of an erasure and of retention may be done twice.
 */
const LONGEST_MS = 120_000;

export class ObjectContext implements GuardContext {
  readonly alarm: AlarmWork;
  readonly writes = new WriteBehind((session, write) => this.attempt("session_not_written", { session }, write));
  /** All times of the object are by this clock. */
  readonly now: () => number;
  private readonly waiters: Waiters;
  private readonly parts: ObjectParts;
  private working: Promise<void> = Promise.resolve();

  constructor(parts: ObjectParts) {
    const { ctx, env, keys, now } = parts;
    this.parts = parts;
    this.now = now;
    this.waiters = new Waiters(now);
    this.alarm = new AlarmWork({
      ctx,
      env,
      keys,
      now,
      attempt: (...one) => this.attempt(...one),
      work: () => void this.work(false).catch((error) => log("error", "object_work_failed", describeError(error))),
    });
  }

  /** Throws if the object may not be served. */
  get sql(): SqlStorage {
    const { refusal, ctx } = this.parts;
    if (refusal !== undefined) throw new Error(refusal);
    return ctx.storage.sql;
  }

  get keys(): AuditKeys {
    return this.parts.keys;
  }

  read<T>(body: (transaction: Transaction) => T): T {
    const { value, ended } = this.run(body);
    if (ended) this.changed();
    return value;
  }

  change<T>(body: (transaction: Transaction) => T): T {
    const { value } = this.run(body);
    this.changed();
    return value;
  }

  wait<T>(look: () => Poll<T>, waitMs: number): Promise<T> {
    return this.waiters.until(look, waitMs);
  }

  /** After a transaction that may have changed an approval or a run: requests that wait for one look again. */
  changed(): void {
    this.alarm.changed();
    this.waiters.wake();
  }

  /** The alarm rings. */
  async ring(): Promise<void> {
    const { clock } = this.alarm;
    const backsOff = clock.rang();
    try {
      await this.work(backsOff);
      storeMarks(this.sql);
    } finally {
      clock.stopped();
    }
  }

  /** One after the other: otherwise records that are under way would be delivered twice. */
  private work(backsOff: boolean): Promise<void> {
    const done = this.working.then(async () => {
      try {
        this.writes.flush();
        // Requests that wait end what has expired, and are answered.
        this.waiters.wake();
        await this.alarm.run(backsOff);
        if (!this.writes.hasPending()) this.parts.tidy();
      } catch (error) {
        // The runtime rings again some times, and then gives up.
        this.alarm.clock.schedule(AFTER_FAILURE_MS);
        throw error;
      }
    });
    this.working = withTimeout(LONGEST_MS, done).catch(() => {});
    return done;
  }

  transact<T>(body: () => T): T {
    return this.parts.ctx.storage.transactionSync(body);
  }

  /** In a transaction only if the body writes: an empty one takes 0.2 ms, and the answer waits until it is committed. */
  transactWrites<T>(body: () => T): T {
    const read = this.parts.tryReading(body);
    return read ? read.value : this.transact(body);
  }

  private run<T>(body: (transaction: Transaction) => T): { readonly value: T; readonly ended: boolean } {
    this.writes.flush();
    const { sql, keys } = this;
    return this.transact(() => {
      const now = this.now();
      const transaction = { sql, keys, now };
      const ended = endDue(transaction);
      return { value: body(transaction), ended };
    });
  }

  /** A transaction that may fail alone; it is logged. */
  private attempt(event: string, fields: Readonly<Record<string, unknown>>, body: () => void): boolean {
    try {
      this.transact(body);
      return true;
    } catch (error) {
      log("error", event, { ...fields, ...describeError(error) });
      return false;
    }
  }
}

/**
 * How long opens and closes may wait, to be written together. Measured in the local runtime: an open that is written before it is
 * answered takes 5 ms, not 1. A write a millisecond later delays the first text by 1 to 5 ms, since the commit blocks the thread that
 * the Worker shares. A queued write is lost if the object dies: its turn is then logged when it closes.
 */
const DELAY_MS = 20;

interface PendingWrite {
  readonly session: string;
  readonly write: () => void;
}

export class WriteBehind {
  private readonly attempt: (session: string, write: () => void) => void;
  private pending: PendingWrite[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param attempt a transaction of its own, so that a failed one takes no other with it. */
  constructor(attempt: (session: string, write: () => void) => void) {
    this.attempt = attempt;
  }

  hasPending(): boolean {
    return this.pending.length > 0;
  }

  queue(session: string, write: () => void): void {
    this.pending.push({ session, write });
    this.timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  /** @param last is written after everything that waits. */
  flush(last?: PendingWrite): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
    const behind = last ? [...this.pending, last] : this.pending;
    this.pending = [];
    for (const { session, write } of behind) this.attempt(session, write);
  }
}
