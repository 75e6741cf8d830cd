/** Requests that wait in memory for a change of what the object holds. */
import type { Poll } from "./transaction.ts";

const MAX_WAIT_MS = 10_000;

export class Waiters {
  private readonly waiting = new Set<() => void>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  wake(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves with the next change, or after `waitMs`. */
  next(waitMs: number): Promise<void> {
    const { waiting } = this;
    return new Promise((resolve) => {
      const timer = setTimeout(woken, Math.min(Math.max(0, waitMs), MAX_WAIT_MS));
      function woken(): void {
        clearTimeout(timer);
        waiting.delete(woken);
        resolve();
      }
      waiting.add(woken);
    });
  }

  /**
   * Calls `look` once, and again after each change and each possible expiry, until it is done or `waitMs` are over. Resolves with
   * the value of the last look.
   */
  async until<T>(look: () => Poll<T>, waitMs: number): Promise<T> {
    const end = Date.now() + Math.min(waitMs, MAX_WAIT_MS);
    for (;;) {
      const { value, done, nextAt = Infinity } = look();
      const left = end - Date.now();
      if (done || left <= 0) return value;
      // Timers may fire a little early.
      await this.next(Math.min(left, Math.max(1, nextAt - this.now() + 1)));
    }
  }
}
