/** Messages from one request of a user to another. Mutable, in memory: nothing of it outlives the object. */
import type { MailboxPort } from "../../ports/guard-port.ts";
import { Waiters } from "./waiters.ts";

/** A request that waits asks again and again: after this time it is gone. */
const FORGET_MS = 60_000;
const MAX_BOXES = 256;

interface Box {
  message?: string;
  /** Milliseconds since the epoch. */
  until: number;
}

export function mailboxApi(now: () => number): MailboxPort {
  const boxes = new Map<string, Box>();
  const waiters = new Waiters(now);
  const boxOf = (id: string): Box | undefined => {
    for (const [other, { until }] of boxes) if (until < now()) boxes.delete(other);
    const box = boxes.get(id) ?? (boxes.size < MAX_BOXES ? { until: 0 } : undefined);
    if (!box) return undefined;
    box.until = now() + FORGET_MS;
    boxes.set(id, box);
    return box;
  };
  return {
    async take(id, waitMs) {
      const box = boxOf(id);
      if (!box) return undefined;
      const message = await waiters.until(
        () => ({ value: box.message, done: box.message !== undefined, nextAt: undefined }),
        waitMs,
      );
      if (message !== undefined) boxes.delete(id);
      return message;
    },
    async put(id, message) {
      const box = boxes.get(id);
      if (!box || box.message !== undefined || box.until < now()) return;
      box.message = message;
      waiters.wake();
    },
  };
}
