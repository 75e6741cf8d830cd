/** A reply that a client may resume while it is written. `stores/guard/replies.ts` keeps it. */

/** UTF-16 units of a reply; a longer one is dropped. */
export const MAX_REPLY_UNITS = 4 * 1024 * 1024;

export interface FollowedReply {
  readonly reply: string;
  /** From the unit that was requested. */
  readonly text: string;
  readonly ended: boolean;
}
