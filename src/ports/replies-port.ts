/**
 * Replies that a client may come back to while they are written, one a session. They are kept in the object's memory: where the object
 * restarts, there is nothing to come back to.
 */

/** UTF-16 units of a reply; a longer one is dropped. */
export const MAX_REPLY_UNITS = 4 * 1024 * 1024;

export interface FollowedReply {
  readonly reply: string;
  /** From the unit that was requested. */
  readonly text: string;
  readonly ended: boolean;
}

export interface RepliesPort {
  /** It takes the place of the session's reply before. */
  begin(session: string, reply: string): Promise<void>;
  /** @param from the units that were appended before: a repeated append adds nothing. @returns false where it is not kept any more. */
  append(session: string, reply: string, from: number, text: string): Promise<boolean>;
  /** @param taken whether the client has read all of it; else who comes back within a minute gets it. */
  end(session: string, reply: string, taken: boolean): Promise<void>;
  /**
   * What there is from the unit `from` on; waits up to `waitMs` (at most 10,000) for more.
   * @param reply absent: the session's present one.
   * @returns undefined where there is none to follow.
   */
  follow(session: string, reply: string | undefined, from: number, waitMs: number): Promise<FollowedReply | undefined>;
  /** Asks its turn to end. @returns whether there is one. */
  stop(session: string): Promise<boolean>;
  /**
   * Waits up to `waitMs` until somebody asks the turn to end.
   * @returns whether it must end; undefined where the reply has ended, or is not kept any more.
   */
  stopped(session: string, reply: string, waitMs: number): Promise<boolean | undefined>;
}
