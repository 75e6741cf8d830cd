/**
 * A sliding window of uses in bounded memory. Pure except for the window itself, which it changes.
 *
 * Uses that come within a thousandth of the window are held as one, counted as made at the last of them: so about a thousand numbers
 * are held whatever `max` is, and in a dense bucket a use counts up to a thousandth of the window longer than it must, never shorter.
 * No window, wherever it begins, holds more than `max`.
 */

/** Uses within a thousandth of the window. Times are milliseconds since the epoch; the last use may be still to come. */
export interface Bucket {
  readonly first: number;
  readonly last: number;
  readonly n: number;
}

/** In the order of their first use. */
export type Uses = Bucket[];

interface WindowLimit {
  readonly max: number;
  readonly windowMs: number;
}

export interface UseResult {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until nothing is counted any more. */
  readonly resetMs: number;
  /** Until a request may be made again; 0 if one may be made now. */
  readonly retryMs: number;
}

interface TakeResult extends UseResult {
  /** How many uses were counted. */
  readonly n: number;
  /** The bucket that they were counted in, for the store. */
  readonly bucket?: Bucket;
}

const PARTS = 1000;

/** Counts a use, if `max` allows another in the window of `windowMs` that ends now, and drops those that no window holds. */
export const takeUse = (uses: Uses, limit: WindowLimit, clock: number): TakeResult =>
  takeUses(uses, limit, clock, 1, 0);

/** Counts up to `wanted` uses, which are made within `withinMs`. */
export function takeUses(
  uses: Uses,
  { max, windowMs }: WindowLimit,
  clock: number,
  wanted: number,
  withinMs: number,
): TakeResult {
  // A clock that goes back must not reorder them.
  const now = Math.max(clock, uses.at(-1)?.first ?? clock);
  uses.splice(0, uses.length, ...uses.filter(({ last }) => last + windowMs > now));
  const used = uses.reduce((sum, { n }) => sum + n, 0);
  const n = Math.min(wanted, Math.max(0, max - used));
  const bucket = n > 0 ? join(uses, { first: now, last: now + withinMs, n }, windowMs / PARTS) : undefined;
  return {
    allowed: n > 0,
    n,
    remaining: Math.max(0, max - used - n),
    resetMs: uses.reduce((latest, { last }) => Math.max(latest, last), 0) + windowMs - now,
    retryMs: n > 0 ? 0 : freeAfter(uses, max, used) + windowMs - now,
    bucket,
  };
}

/** Uses that were counted, and are not made. @returns the bucket that they were counted in, in its new state. */
export function returnLeased(uses: Uses, first: number, unused: number): Bucket | undefined {
  const index = uses.findIndex((bucket) => bucket.first === first);
  const counted = uses[index];
  if (!counted) return undefined;
  const bucket = { ...counted, n: Math.max(0, counted.n - unused) };
  uses.splice(index, 1, bucket);
  return bucket;
}

function join(uses: Uses, taken: Bucket, part: number): Bucket {
  const latest = uses.at(-1);
  const joined = latest !== undefined && taken.first < latest.first + part;
  const bucket = joined
    ? { first: latest.first, last: Math.max(latest.last, taken.last), n: latest.n + taken.n }
    : taken;
  uses.splice(joined ? -1 : uses.length, 1, bucket);
  return bucket;
}

/** What must leave the window for another to fit; if `max` was lowered, that is not the oldest. */
function freeAfter(uses: Uses, max: number, used: number): number {
  let left = used;
  for (const { last, n } of uses.toSorted((one, other) => one.last - other.last)) {
    left -= n;
    if (left < max) return last;
  }
  throw new RangeError("a limit is at least 1");
}
