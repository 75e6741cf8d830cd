/** Requests that wait in memory until an approval or a run changes. They end with the object. */

const MAX_WAIT_MS = 10_000;

export class Waiters {
  private readonly waiting = new Set<() => void>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Call it after every transaction that may have changed an approval or a run. */
  wake(): void {
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }

  /**
   * Calls `look` once, and again after each change and each possible expiry, until it is done or `waitMs` are over. Resolves with
   * the value of the last look.
   * @param look `nextAt`: when what it saw changes by itself, ms since the epoch.
   */
  async until<T>(
    look: () => { readonly value: T; readonly done: boolean; readonly nextAt: number | undefined },
    waitMs: number,
  ): Promise<T> {
    let over = false;
    let ended = (): void => {};
    const end = setTimeout(
      () => {
        over = true;
        ended();
      },
      Math.min(Math.max(0, waitMs), MAX_WAIT_MS),
    );
    try {
      for (;;) {
        const { value, done, nextAt } = look();
        if (done || over) return value;
        await new Promise<void>((resolve) => {
          // Timers may fire a little early.
          const soon =
            nextAt === undefined
              ? undefined
              : setTimeout(woken, Math.min(Math.max(1, nextAt - this.now() + 1), MAX_WAIT_MS));
          const { waiting } = this;
          function woken(): void {
            clearTimeout(soon);
            waiting.delete(woken);
            resolve();
          }
          waiting.add(woken);
          ended = woken;
        });
      }
    } finally {
      clearTimeout(end);
    }
  }
}
