/**
 * Replies that a client may resume while they are written, one a session. Mutable, in the object's memory: if the object restarts,
 * there is nothing to resume.
 */
import { Waiters } from "./waiters.ts";

/** UTF-16 units of a reply; a longer one is dropped. */
export const MAX_REPLY_UNITS = 4 * 1024 * 1024;

export interface FollowedReply {
  readonly reply: string;
  /** From the unit that was requested. */
  readonly text: string;
  readonly ended: boolean;
}

/** How long a reply that no client has read to its end is kept. */
const UNREAD_MS = 60_000;
/** Per user. */
const MAX_REPLIES = 8;

interface KeptReply {
  readonly id: string;
  text: string;
  ended: boolean;
  stopped: boolean;
  /** Milliseconds since the epoch; undefined while it is written. */
  until: number | undefined;
  readonly followers: Waiters;
}

export type RepliesApi = ReturnType<typeof repliesApi>;

export function repliesApi(now: () => number) {
  const replies = new Map<string, KeptReply>();
  const drop = (session: string) => {
    const reply = replies.get(session);
    replies.delete(session);
    reply?.followers.wake();
  };
  const find = (session: string, id?: string): KeptReply | undefined => {
    for (const [other, { until }] of replies) if (until !== undefined && until < now()) drop(other);
    const reply = replies.get(session);
    return id === undefined || reply?.id === id ? reply : undefined;
  };
  return {
    /** Replaces the session's reply before. */
    async begin(session: string, id: string): Promise<void> {
      find(session);
      drop(session);
      const [oldest] = replies.keys();
      if (replies.size >= MAX_REPLIES && oldest !== undefined) drop(oldest);
      replies.set(session, {
        id,
        text: "",
        ended: false,
        stopped: false,
        until: undefined,
        followers: new Waiters(now),
      });
    },
    /**
     * @param from the units that were appended before: a repeated append adds nothing.
     * @returns false if the reply is not kept any more.
     */
    async append(session: string, id: string, from: number, text: string): Promise<boolean> {
      const reply = find(session, id);
      if (!reply || reply.text.length < from) return false;
      reply.text = reply.text.slice(0, from) + text;
      if (reply.text.length > MAX_REPLY_UNITS) drop(session);
      reply.followers.wake();
      return reply.text.length <= MAX_REPLY_UNITS;
    },
    /** @param taken whether the client has read all of it; else a client that comes back within a minute gets it. */
    async end(session: string, id: string, taken: boolean): Promise<void> {
      const reply = find(session, id);
      if (!reply) return;
      reply.ended = true;
      reply.until = now() + UNREAD_MS;
      reply.followers.wake();
      if (taken && reply.followers.isEmpty()) drop(session);
    },
    /**
     * The text from the unit `from` on; waits up to `waitMs` (at most 10,000) for more.
     * @param id absent: the session's current reply.
     * @returns undefined if there is none to follow.
     */
    async follow(
      session: string,
      id: string | undefined,
      from: number,
      waitMs: number,
    ): Promise<FollowedReply | undefined> {
      const reply = find(session, id);
      if (!reply) return undefined;
      if (reply.text.length <= from && !reply.ended) await reply.followers.next(waitMs);
      if (reply.ended && reply.text.length <= MAX_REPLY_UNITS && find(session, reply.id)) drop(session);
      if (!reply.ended && !find(session, reply.id)) return undefined;
      return { reply: reply.id, text: reply.text.slice(from), ended: reply.ended };
    },
    /** Asks the reply's turn to end. @returns whether there is one. */
    async stop(session: string): Promise<boolean> {
      const reply = find(session);
      if (!reply || reply.ended) return false;
      reply.stopped = true;
      reply.followers.wake();
      return true;
    },
    /**
     * Waits up to `waitMs` until a request asks the turn to end.
     * @returns whether it must end; undefined if the reply has ended, or is not kept any more.
     */
    async stopped(session: string, id: string, waitMs: number): Promise<boolean | undefined> {
      const reply = find(session, id);
      if (!reply || reply.ended) return undefined;
      const until = now() + waitMs;
      while (!reply.stopped && now() < until) {
        await reply.followers.next(until - now());
        if (reply.ended || !find(session, id)) return undefined;
      }
      return reply.stopped;
    },
  };
}
