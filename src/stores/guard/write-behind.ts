/** Writes that follow their answer: queued in order, and written together. */

/**
 * How long opens and closes may wait, to be written together. Measured in the local runtime: an open that is written before
 * it is answered takes 5 ms, not 1. A write a millisecond later delays the first word by 1 to 5 ms, since the commit blocks the
 * thread that the Worker shares. A queued write is lost if the object dies: its turn is then logged when it closes.
 */
const DELAY_MS = 20;

export class WriteBehind {
  private readonly attempt: (session: string, write: () => void) => void;
  private pending: { readonly session: string; readonly write: () => void }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param attempt a transaction of its own, so that one that fails takes no other with it. */
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

  flush(): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
    const behind = this.pending;
    this.pending = [];
    for (const { session, write } of behind) this.attempt(session, write);
  }
}
