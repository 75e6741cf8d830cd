/**
 * A sliding window of uses in bounded memory. Pure but for the window itself, which it changes.
 *
 * Uses that come within a thousandth of the window are held as one, counted as made at the last of them: so about a
 * thousand numbers are held whatever `max` is, and in a dense bucket a use counts up to a thousandth of the window longer
 * than it must, never shorter. No window, wherever it begins, holds more than `max`.
 */

/** Uses within a thousandth of the window. Times are milliseconds since the epoch. */
export interface Bucket {
  readonly first: number;
  readonly last: number;
  readonly n: number;
}

/** In order. */
export type Uses = Bucket[];

export interface UseResult {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until nothing is counted any more. */
  readonly resetMs: number;
  /** Until a request may be made again; 0 where one may be made now. */
  readonly retryMs: number;
  /** The bucket that the use was counted in, for the store. */
  readonly bucket?: Bucket;
}

const PARTS = 1000;

/** Counts a use, if `max` allows another in the window of `windowMs` that ends now, and drops those that no window holds. */
export function takeUse(uses: Uses, { max, windowMs }: { max: number; windowMs: number }, clock: number): UseResult {
  // A clock that goes back must not reorder them.
  const now = Math.max(clock, uses.at(-1)?.last ?? clock);
  const held = uses.findIndex(({ last }) => last + windowMs > now);
  uses.splice(0, held < 0 ? uses.length : held);
  const used = uses.reduce((sum, { n }) => sum + n, 0);
  const allowed = used < max;
  const bucket = allowed ? join(uses, now, windowMs / PARTS) : undefined;
  return {
    allowed,
    remaining: Math.max(0, max - used - (allowed ? 1 : 0)),
    resetMs: (uses.at(-1)?.last ?? now) + windowMs - now,
    retryMs: allowed ? 0 : freeAfter(uses, max, used) + windowMs - now,
    bucket,
  };
}

function join(uses: Uses, now: number, part: number): Bucket {
  const latest = uses.at(-1);
  const joined = latest !== undefined && now < latest.first + part;
  const bucket = joined ? { first: latest.first, last: now, n: latest.n + 1 } : { first: now, last: now, n: 1 };
  uses.splice(joined ? -1 : uses.length, 1, bucket);
  return bucket;
}

/** What must leave the window for another to fit; where `max` was lowered, that is not the oldest. */
function freeAfter(uses: Uses, max: number, used: number): number {
  let left = used;
  for (const { last, n } of uses) {
    left -= n;
    if (left < max) return last;
  }
  throw new RangeError("a limit is at least 1");
}
