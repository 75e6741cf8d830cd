/**
 * Requests of a key that isolates lease, to count them themselves (`leased-meter.ts`). Pure except for the book, which it changes.
 *
 * A lease counts as made at its end: no window holds more than the limit. Its unused rest comes back with the isolate's next one.
 * Leases without a report come to at most a tenth of the limit; beyond it requests are leased one by one. So a key has at least nine
 * tenths of its limit, and a request counts for up to ten seconds longer than it must.
 */
import { type Bucket, returnLeased, takeUses, type UseResult, type Uses } from "./meter-window.ts";

export interface MeterLimit {
  readonly max: number;
  readonly windowMs: number;
}

export interface Lease extends UseResult {
  readonly id: string;
  /** Requests that the isolate may admit; 0 if it may admit none. */
  readonly n: number;
  /** How long, from the request for it. */
  readonly forMs: number;
}

/** A lease that is over, and how many of its requests were not made. */
export interface EndedLease {
  readonly id: string;
  readonly unused: number;
}

/** Parts of the limit: one lease at most, and all leases without a report. */
const LEASE_SHARE = 0.01;
const UNHEARD_SHARE = 0.1;
/** How long a lease lasts: a part of the window, and not longer than `LEASE_MS`. */
const LEASE_PART = 0.05;
const LEASE_MS = 10_000;

interface UnheardLease {
  readonly first: number;
  /** Requests that may or may not have been made. */
  readonly n: number;
  /** From then on no window holds them. */
  readonly goneAt: number;
}

export interface LeaseBook {
  readonly uses: Uses;
  /** By the lease's id. */
  readonly unheard: Map<string, UnheardLease>;
}

/** @returns the lease, and the buckets that changed, for the store. */
export function leaseUses(
  { uses, unheard }: LeaseBook,
  limit: MeterLimit,
  { wanted, ended }: { readonly wanted: number; readonly ended: readonly EndedLease[] },
  now: number,
): { readonly lease: Lease; readonly changed: readonly Bucket[] } {
  const returned = ended.flatMap(({ id, unused }) => {
    const lease = unheard.get(id);
    unheard.delete(id);
    return (lease && unused > 0 && returnLeased(uses, lease.first, Math.min(unused, lease.n))) || [];
  });
  for (const [id, { goneAt }] of unheard) if (goneAt <= now) unheard.delete(id);
  const outstanding = [...unheard.values()].reduce((sum, { n }) => sum + n, 0);
  const room = Math.floor(Math.min(limit.max * LEASE_SHARE, limit.max * UNHEARD_SHARE - outstanding));
  const forMs = Math.min(limit.windowMs * LEASE_PART, LEASE_MS);
  const { bucket, ...taken } = takeUses(uses, limit, now, Math.max(1, Math.min(wanted, room)), forMs);
  const id = crypto.randomUUID();
  if (!bucket) return { lease: { ...taken, id, forMs }, changed: returned };
  // The request that asks is made at once.
  if (taken.n > 1) unheard.set(id, { first: bucket.first, n: taken.n - 1, goneAt: bucket.last + limit.windowMs });
  return { lease: { ...taken, id, forMs }, changed: [...returned, bucket] };
}
