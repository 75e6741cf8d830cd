/**
 * How an isolate asks the meter of a key. With a limit that is exact, or small, it asks for each request. With any other it leases
 * some requests at a time, and admits them without asking: more if it has had more of late. It admits none beyond its lease, so all
 * isolates together admit no more than the limit.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import type { EndedLease, Lease } from "./leases.ts";
import type { UseResult } from "./meter-window.ts";

/** The object of a key, as the isolate asks it. */
export interface Meter {
  take(limit: RateLimit): Promise<UseResult>;
  lease(limit: RateLimit, wanted: number, ended: readonly EndedLease[]): Promise<Lease>;
}

/** With a smaller limit a lease would be a few requests, and a few that are refused too early matter. */
const LEAST_LEASED = 1_000;
/** How long a refusal applies without asking again. */
const REFUSED_MS = 1_000;
/** The state of a key's leases. */
const STATE_BYTES = 600;

interface HeldLease {
  readonly id: string;
  readonly n: number;
  readonly until: number;
  left: number;
}

interface State {
  readonly limit: RateLimit;
  leases: HeldLease[];
  /** How many to lease next. */
  wanted: number;
  asking: number;
  /** From the last answer. */
  remaining: number;
  resetAt: number;
  refusal: { readonly until: number; readonly freeAt: number } | undefined;
}

/** @param now milliseconds since the epoch. */
export function leasedMeter(
  meterOf: (meter: string) => Meter,
  now: () => number,
): (metered: { readonly meter: string; readonly limit: RateLimit }) => Promise<UseResult> {
  const states = boundedCache<State>({ maxBytes: CACHE_BYTES.leases });

  function stateOf(meter: string, limit: RateLimit): State {
    const known = states.get(meter);
    if (known?.limit.max === limit.max && known.limit.windowMs === limit.windowMs) return known;
    const state = { limit, leases: [], wanted: 1, asking: 0, remaining: 0, resetAt: 0, refusal: undefined };
    states.set(meter, state, STATE_BYTES);
    return state;
  }

  return async ({ meter, limit }) => {
    if (limit.exact || limit.max < LEAST_LEASED) return meterOf(meter).take(limit);
    const state = stateOf(meter, limit);
    const askedAt = now();
    const known = spend(state, askedAt) ?? refuse(state, askedAt);
    if (known) return known;
    // Requests that come meanwhile ask for themselves: one must not await what another has begun.
    const ended = endLeases(state, askedAt);
    const wanted = state.asking === 0 ? state.wanted : 1;
    state.asking += 1;
    try {
      return hold(state, await meterOf(meter).lease(limit, wanted, ended), askedAt);
    } finally {
      state.asking -= 1;
    }
  };
}

function spend(state: State, now: number): UseResult | undefined {
  const lease = state.leases.find(({ left, until }) => left > 0 && now < until);
  if (!lease) return undefined;
  lease.left -= 1;
  return admitted(state, now);
}

const admitted = (state: State, now: number): UseResult => ({
  allowed: true,
  remaining: state.remaining + state.leases.reduce((sum, { left }) => sum + left, 0),
  resetMs: Math.max(0, state.resetAt - now),
  retryMs: 0,
});

function refuse({ refusal, resetAt }: State, now: number): UseResult | undefined {
  if (!refusal || now >= refusal.until) return undefined;
  return { allowed: false, remaining: 0, resetMs: Math.max(0, resetAt - now), retryMs: refusal.freeAt - now };
}

/** A lease that was used up in its time was too small. */
function endLeases(state: State, now: number): EndedLease[] {
  const isOver = ({ left, until }: HeldLease) => left === 0 || now >= until;
  const ended = state.leases.filter(isOver);
  state.leases = state.leases.filter((lease) => !isOver(lease));
  for (const { n, left } of ended) state.wanted = left === 0 ? Math.max(state.wanted, 2 * n) : Math.max(1, n - left);
  return ended.map(({ id, left }) => ({ id, unused: left }));
}

/** The request that fetched the lease gets its first use. */
function hold(state: State, { id, n, allowed, remaining, resetMs, retryMs, forMs }: Lease, askedAt: number): UseResult {
  state.remaining = remaining;
  state.resetAt = askedAt + resetMs;
  state.refusal = allowed ? undefined : { until: askedAt + Math.min(retryMs, REFUSED_MS), freeAt: askedAt + retryMs };
  if (!allowed) return { allowed, remaining, resetMs, retryMs };
  state.leases.push({ id, n, left: n - 1, until: askedAt + forMs });
  return admitted(state, askedAt);
}
