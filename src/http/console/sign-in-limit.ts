/**
 * How often one address may begin or end a sign-in. Whoever asks is nobody yet, and each request makes the gateway ask the
 * provider, which would refuse everybody if one made it ask too often. Counted in the isolate: it costs no round trip.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { takeUse, type Uses } from "../../stores/objects/meter-window.ts";
import { readAddress } from "../../tools/reach/address.ts";
import { type Problem, tooManyRequests } from "../problem.ts";

/** A person takes two requests, and may try again. */
const LIMIT = { max: 20, windowMs: 60_000 };
/** Of the times of a network's requests. */
const USES_BYTES = 100 + 16 * LIMIT.max;

/** Undefined where the request may go on. */
export type SignInLimit = (headers: Headers, now: number) => Problem | undefined;

export function signInLimit(): SignInLimit {
  const windows = boundedCache<Uses>({ maxBytes: CACHE_BYTES.signIns });
  return (headers, now) => {
    const network = networkOf(headers.get("cf-connecting-ip"));
    const uses = windows.get(network) ?? [];
    const { allowed, retryMs } = takeUse(uses, LIMIT, now);
    windows.set(network, uses, USES_BYTES);
    if (allowed) return undefined;
    const seconds = Math.max(1, Math.ceil(retryMs / 1000));
    const message = `an address may send ${LIMIT.max} sign-in requests a minute; try again in ${seconds} s`;
    return tooManyRequests("sign_in_rate_limited", message, seconds);
  };
}

/** Of IPv6 the first half: who has one address there has the whole network. Cloudflare sets the header; elsewhere all are one. */
function networkOf(address: string | null): string {
  const bytes = address === null ? undefined : readAddress(address);
  return (bytes?.length === 16 ? bytes.slice(0, 8) : (bytes ?? [])).join(".");
}
