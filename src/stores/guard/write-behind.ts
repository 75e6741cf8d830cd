/** What was answered and is not yet written: kept in order, and written together. */

/** How long opens and closes may wait, to be written together. */
const BEHIND_MS = 20;

export class WriteBehind {
  private readonly attempt: (session: string, write: () => void) => void;
  private behind: { readonly session: string; readonly write: () => void }[] = [];
  private writing: ReturnType<typeof setTimeout> | undefined;

  /** @param attempt a transaction of its own, so that one that fails takes no other with it. */
  constructor(attempt: (session: string, write: () => void) => void) {
    this.attempt = attempt;
  }

  holdsAny(): boolean {
    return this.behind.length > 0;
  }

  later(session: string, write: () => void): void {
    this.behind.push({ session, write });
    this.writing ??= setTimeout(() => this.flush(), BEHIND_MS);
  }

  flush(): void {
    if (this.writing !== undefined) clearTimeout(this.writing);
    this.writing = undefined;
    const behind = this.behind;
    this.behind = [];
    for (const { session, write } of behind) this.attempt(session, write);
  }
}
