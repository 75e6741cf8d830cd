/** How long a user's object stores things. */
import { DAY_MS, HOUR_MS } from "../../lib/time.ts";

/** Milliseconds after which an unused session is deleted, with the counters of its task. */
export const SESSION_IDLE_MS = DAY_MS;
/** Milliseconds for which ended approvals and released calls are stored. */
export const KEPT_MS = 30 * DAY_MS;
/** Milliseconds for which digests of what was written after untrusted text are stored. */
export const WRITES_KEPT_MS = 90 * DAY_MS;
/** How soon the alarm rings for expiry alone, at the earliest. */
export const SWEEP_MS = HOUR_MS;
/** How long the same request gets the same calls again. */
export const RETRY_MS = 60_000;
