/**
 * Answers that a client sends in a request of its own, for a request of the same user that waits for it, in whichever isolate. They are
 * kept in the object's memory: where the object restarts, the request that waits gets none.
 */
export interface MailboxPort {
  /**
   * Waits for the message of this id, at most `waitMs` (at most 10,000), and takes it.
   * @returns undefined where none has come yet.
   */
  take(id: string, waitMs: number): Promise<string | undefined>;
  /** The first message counts. One that nobody has waited for within the last minute is dropped. */
  put(id: string, message: string): Promise<void>;
}
