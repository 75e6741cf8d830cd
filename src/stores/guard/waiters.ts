/** Those who wait in memory until an approval changes. They hold up nothing, and are gone with the object. */

const MAX_WAIT_MS = 10_000;

export class Waiters {
  private readonly waiting = new Set<() => void>();

  /** To be called after every transaction that may have changed an approval. */
  wake(): void {
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }

  /**
   * Looks once, and again after each change and each time that something may have expired, until there is something to tell
   * or `waitMs` are over; then the last look is told.
   * @param look `nextAt`: when what it saw changes by itself, ms since the epoch.
   */
  async until<T>(
    look: () => { readonly told: T; readonly done: boolean; readonly nextAt: number | undefined },
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
        const { told, done, nextAt } = look();
        if (done || over) return told;
        await new Promise<void>((resolve) => {
          // Timers may fire a little early.
          const soon =
            nextAt === undefined
              ? undefined
              : setTimeout(woken, Math.min(Math.max(1, nextAt - Date.now() + 1), MAX_WAIT_MS));
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
