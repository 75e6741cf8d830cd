/** Requests that wait in memory for a change of what the object holds. */
import type { Poll } from "./transaction.ts";

const MAX_WAIT_MS = 10_000;
const limited = (waitMs: number): number => Math.min(Math.max(0, waitMs), MAX_WAIT_MS);

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
      const timer = setTimeout(woken, limited(waitMs));
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
    let over = false;
    const end = setTimeout(() => {
      over = true;
      this.wake();
    }, limited(waitMs));
    try {
      for (;;) {
        const { value, done, nextAt = Infinity } = look();
        if (done || over) return value;
        // Timers may fire a little early.
        await this.next(Math.max(1, nextAt - this.now() + 1));
      }
    } finally {
      clearTimeout(end);
    }
  }
}
