/**
 * The one alarm of an object: it rings at the earliest time that was scheduled, but never within the back-off after a failure.
 * Setting it costs a row, and ringing a request: work that is due in a moment is done by a timer of the object, as long as an alarm
 * within the hour replaces it if the object dies before.
 */
import { backOffMs } from "../../../lib/back-off.ts";
import { SWEEP_MS } from "../lifetimes.ts";
import { readMeta, writeMeta } from "../transaction.ts";

/** Timers may fire a little early. */
const EARLY_MS = 10;
const BACK_OFF = { firstMs: 2_000, longestMs: 300_000 };

export class AlarmClock {
  private readonly storage: DurableObjectStorage;
  private readonly now: () => number;
  private scheduledAt: number | undefined;
  /** While the alarm rings, times are only noted: setting it costs a row. If the object dies meanwhile, the runtime rings again. */
  private isRinging = false;
  /** As stored: an evicted object must not come back sooner to a database that is down. */
  private delivery = { failures: 0, notBefore: 0 };
  private soon: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  private readonly work: () => void;

  /** @param work is done when the timer is over. */
  constructor(storage: DurableObjectStorage, now: () => number, work: () => void) {
    this.storage = storage;
    this.now = now;
    this.work = work;
  }

  /** @returns whether an alarm is scheduled. */
  async load(): Promise<boolean> {
    this.delivery = readMeta(this.storage.sql, "delivery") ?? this.delivery;
    const alarm = await this.storage.getAlarm();
    if (!this.isRinging && alarm !== null) this.scheduledAt ??= alarm + this.ahead;
    return alarm !== null;
  }

  /** @returns whether `scheduleAt` had set it for a time within the back-off: then the database is left alone. */
  rang(): boolean {
    const { notBefore } = this.delivery;
    const within = this.scheduledAt !== undefined && this.scheduledAt < notBefore && this.now() < notBefore;
    this.scheduledAt = undefined;
    this.isRinging = true;
    if (!within) this.cancelSoon();
    return within;
  }

  /** Sets the alarm for what was scheduled while it rang. */
  stopped(): void {
    this.isRinging = false;
    if (this.scheduledAt === undefined) void this.storage.deleteAlarm();
    else void this.storage.setAlarm(this.scheduledAt - this.ahead);
  }

  /** Makes sure that the work is done within this time, or when the back-off ends; within an hour of it if the object dies. */
  scheduleSoon(delayMs: number): void {
    const at = Math.max(this.now() + delayMs, this.delivery.notBefore);
    if ((this.scheduledAt ?? Infinity) <= at || (this.soon?.at ?? Infinity) <= at) return;
    this.schedule(delayMs + SWEEP_MS);
    this.cancelSoon();
    const over = (): void => {
      this.soon = undefined;
      // If the clock was set back meanwhile, the alarm does it.
      if (this.now() >= at - EARLY_MS) this.work();
    };
    this.soon = { at, timer: setTimeout(over, at - this.now()) };
  }

  /** When the timer ends; undefined if there is none. */
  get soonAt(): number | undefined {
    return this.soon?.at;
  }

  /** None of its timers is left. */
  cancelSoon(): void {
    if (this.soon) clearTimeout(this.soon.timer);
    this.soon = undefined;
  }

  /** Makes sure that the alarm rings at the latest in `delayMs`, or when the back-off ends. */
  schedule(delayMs: number): void {
    this.scheduleAt(Math.max(this.now() + delayMs, this.delivery.notBefore));
  }

  /** Not delayed by the back-off: for work that does not use the database. */
  scheduleAt(at: number): void {
    if (this.scheduledAt !== undefined && this.scheduledAt <= at) return;
    this.scheduledAt = at;
    if (!this.isRinging) void this.storage.setAlarm(at - this.ahead);
  }

  /** Alarms ring in the runtime's time, which may not be the object's. */
  private get ahead(): number {
    return this.now() - Date.now();
  }

  /** @returns how often in a row. */
  deliveryFailed(): number {
    const failures = this.delivery.failures + 1;
    const delay = backOffMs(failures - 1, Math.random(), BACK_OFF);
    this.delivery = { failures, notBefore: this.now() + Math.ceil(delay) };
    writeMeta(this.storage.sql, "delivery", this.delivery);
    // Turns during the delivery may have scheduled it for an earlier time.
    this.scheduledAt = undefined;
    this.cancelSoon();
    this.schedule(0);
    return failures;
  }

  deliverySucceeded(): void {
    if (this.delivery.failures === 0) return;
    this.delivery = { failures: 0, notBefore: 0 };
    writeMeta(this.storage.sql, "delivery", this.delivery);
  }
}
