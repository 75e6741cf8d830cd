/**
 * A sliding window of uses in bounded memory. Pure but for the window itself, which it changes.
 *
 * Uses that come within a thousandth of the window are kept as one, at the end of their thousandth: so at most 1001 numbers
 * are held whatever `max` is, and a use counts up to a thousandth of the window longer than it must, never shorter. No
 * window, wherever it begins, holds more than `max`.
 */

/** Uses by the time that they count as made at, in order. */
export type Uses = Map<number, number>;

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until nothing is counted any more. */
  readonly resetMs: number;
  /** Until a request may be made again; 0 where one may be made now. */
  readonly retryMs: number;
  /** Where the use was counted, for the store. */
  readonly at?: number;
}

const PARTS = 1000;

/** Counts a use, if `max` allows another in the window of `windowMs` that ends now, and forgets what no window holds. */
export function takeUse(uses: Uses, { max, windowMs }: { max: number; windowMs: number }, now: number): Taken {
  for (const at of uses.keys()) {
    if (at + windowMs > now) break;
    uses.delete(at);
  }
  let used = 0;
  for (const count of uses.values()) used += count;
  if (used >= max) return { ...standing(uses, max, used, windowMs, now), allowed: false };
  const part = Math.max(1, Math.floor(windowMs / PARTS));
  // After every earlier one, also where the clock went back or the window was another one.
  const at = Math.max(Math.ceil(now / part) * part, lastOf(uses) ?? 0);
  uses.set(at, (uses.get(at) ?? 0) + 1);
  return { ...standing(uses, max, used + 1, windowMs, now), allowed: true, at };
}

function standing(uses: Uses, max: number, used: number, windowMs: number, now: number): Omit<Taken, "allowed"> {
  const resetMs = (lastOf(uses) ?? now) + windowMs - now;
  return {
    remaining: Math.max(0, max - used),
    resetMs,
    retryMs: used < max ? 0 : freeAfter(uses, max, used) + windowMs - now,
  };
}

/** The use that must leave the window for another to fit; where `max` was lowered, that is not the oldest. */
function freeAfter(uses: Uses, max: number, used: number): number {
  let left = used;
  for (const [at, count] of uses) {
    left -= count;
    if (left < max) return at;
  }
  return lastOf(uses) ?? 0;
}

const lastOf = (uses: Uses): number | undefined => [...uses.keys()].at(-1);
