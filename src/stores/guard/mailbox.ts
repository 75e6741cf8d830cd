/**
 * Passes a message from one request of a user to another request that waits for it, in whichever isolate. Mutable, in the object's
 * memory: if the object restarts, the request that waits gets none.
 */
import { Waiters } from "./waiters.ts";

/** A request that waits asks again and again: after this time it is gone. */
const FORGET_MS = 60_000;
const MAX_BOXES = 256;

interface Box {
  message?: string;
  /** Milliseconds since the epoch. */
  until: number;
}

export function mailboxApi(now: () => number) {
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
    /**
     * Waits at most `waitMs` (at most 10,000) for the message of this id, and takes it.
     * @returns undefined if none has come yet.
     */
    async take(id: string, waitMs: number): Promise<string | undefined> {
      const box = boxOf(id);
      if (!box) return undefined;
      const message = await waiters.until(
        () => ({ value: box.message, done: box.message !== undefined, nextAt: undefined }),
        waitMs,
      );
      if (message !== undefined) boxes.delete(id);
      return message;
    },
    /** The first message counts. It is dropped if no request has waited for it within the last minute. */
    async put(id: string, message: string): Promise<void> {
      const box = boxes.get(id);
      if (!box || box.message !== undefined || box.until < now()) return;
      box.message = message;
      waiters.wake();
    },
  };
}
