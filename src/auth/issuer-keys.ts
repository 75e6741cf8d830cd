/**
 * The public keys of issuers, by the URL of their key set, cached in the isolate.
 *
 * Lifetime: fresh for 10 minutes; while the issuer cannot be reached they are used for 6 hours, then no token is accepted. An unknown
 * key has the set fetched again, so that a rotation is picked up, but no sooner than 30 s after the last attempt: an attacker who
 * makes up key ids cannot have the gateway hammer the issuer. Values are cached, never promises: one request must not await another's
 * I/O.
 */

import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { describeError, log } from "../lib/log.ts";
import { readBounded } from "../lib/read-bounded.ts";
import { HOUR_MS } from "../lib/time.ts";

const FRESH_MS = 600_000;
const COOL_DOWN_MS = 30_000;
const STALE_MS = 6 * HOUR_MS;
/** How soon an issuer without known keys is fetched again after a failure. */
const RETRY_MS = 5_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
/** Requests that may ask for the same set at once, before any has been answered. */
const MAX_AT_ONCE = 100;

export interface IssuerKeys {
  /**
   * Undefined if no keys are known and none are available, or they are too old.
   * @param url of the key set; one of the settings', so that the number of sets is bounded.
   * @param unknownKey the keys answered last did not hold the token's: look again, if allowed.
   */
  get(url: string, now: number, unknownKey?: boolean): Promise<JWTVerifyGetKey | undefined>;
}

interface KeySet {
  keys?: JWTVerifyGetKey;
  fetchedAt: number;
  attemptedAt: number;
  failed: boolean;
  underWay: number;
}

export function issuerKeys(fetcher: typeof fetch): IssuerKeys {
  const sets = new Map<string, KeySet>();
  const never = Number.NEGATIVE_INFINITY;
  return {
    async get(url, now, unknownKey = false) {
      const set = sets.get(url) ?? { fetchedAt: never, attemptedAt: never, failed: false, underWay: 0 };
      sets.set(url, set);
      if (mayFetch(set, now, unknownKey)) await refresh(set, url, fetcher, now);
      return now < set.fetchedAt + STALE_MS ? set.keys : undefined;
    },
  };
}

function mayFetch(set: KeySet, now: number, unknownKey: boolean): boolean {
  if (set.keys === undefined) {
    // A request that its client gave up ends without notice: after the time limit none is under way any more.
    const full = set.underWay >= MAX_AT_ONCE && now < set.attemptedAt + TIMEOUT_MS;
    return !full && (!set.failed || now >= set.attemptedAt + RETRY_MS);
  }
  return (unknownKey || now >= set.fetchedAt + FRESH_MS) && now >= set.attemptedAt + COOL_DOWN_MS;
}

async function refresh(set: KeySet, url: string, fetcher: typeof fetch, now: number): Promise<void> {
  set.attemptedAt = now;
  set.underWay += 1;
  try {
    const fetched = await fetchKeySet(fetcher, url);
    const { localKeySet } = await import("./local-key-set.ts");
    const keys = localKeySet(fetched);
    set.failed = false;
    // An overtaken answer must not bring back what the issuer has withdrawn since.
    if (now < set.fetchedAt) return;
    set.keys = keys;
    set.fetchedAt = now;
  } catch (error) {
    set.failed = true;
    log("error", "issuer_keys_unavailable", { jwks: url, ...describeError(error) });
  } finally {
    set.underWay -= 1;
  }
}

async function fetchKeySet(fetcher: typeof fetch, url: string): Promise<JSONWebKeySet> {
  const response = await fetcher(url, {
    headers: { accept: "application/jwk-set+json, application/json" },
    // The target of a redirect would choose the keys.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  }
  const bytes = await readBounded(response.body, MAX_BYTES);
  if (bytes === undefined) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
  return JSON.parse(new TextDecoder().decode(bytes)) as JSONWebKeySet;
}
