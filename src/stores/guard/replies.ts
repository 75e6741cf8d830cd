/** Replies that clients may come back to. Mutable, in memory: nothing of them outlives the object. */
import { MAX_REPLY_UNITS, type RepliesPort } from "../../ports/replies-port.ts";
import { Waiters } from "./waiters.ts";

/** How long a reply that nobody has read to its end is kept. */
const UNREAD_MS = 60_000;
/** Of one user. */
const MAX_REPLIES = 8;

interface FollowedReply {
  readonly id: string;
  text: string;
  ended: boolean;
  stopped: boolean;
  /** Milliseconds since the epoch; undefined while it is written. */
  until: number | undefined;
  readonly followers: Waiters;
}

export function repliesApi(now: () => number): RepliesPort {
  const replies = new Map<string, FollowedReply>();
  const drop = (session: string) => {
    const reply = replies.get(session);
    replies.delete(session);
    reply?.followers.wake();
  };
  const find = (session: string, id?: string): FollowedReply | undefined => {
    for (const [other, { until }] of replies) if (until !== undefined && until < now()) drop(other);
    const reply = replies.get(session);
    return id === undefined || reply?.id === id ? reply : undefined;
  };
  return {
    async begin(session, id) {
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
    async append(session, id, from, text) {
      const reply = find(session, id);
      if (!reply || reply.text.length < from) return false;
      reply.text = reply.text.slice(0, from) + text;
      if (reply.text.length > MAX_REPLY_UNITS) drop(session);
      reply.followers.wake();
      return reply.text.length <= MAX_REPLY_UNITS;
    },
    async end(session, id, taken) {
      const reply = find(session, id);
      if (!reply) return;
      reply.ended = true;
      reply.until = now() + UNREAD_MS;
      reply.followers.wake();
      if (taken && reply.followers.isEmpty()) drop(session);
    },
    async follow(session, id, from, waitMs) {
      const reply = find(session, id);
      if (!reply) return undefined;
      if (reply.text.length <= from && !reply.ended) await reply.followers.next(waitMs);
      if (reply.ended && reply.text.length <= MAX_REPLY_UNITS && find(session, reply.id)) drop(session);
      if (!reply.ended && !find(session, reply.id)) return undefined;
      return { reply: reply.id, text: reply.text.slice(from), ended: reply.ended };
    },
    async stop(session) {
      const reply = find(session);
      if (!reply || reply.ended) return false;
      reply.stopped = true;
      reply.followers.wake();
      return true;
    },
    async stopped(session, id, waitMs) {
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
