/** How long a user's object stores what it holds. */

/** Milliseconds after which an unused session is deleted, with the counters of its task. */
export const SESSION_IDLE_MS = 24 * 3600_000;
/** Milliseconds for which ended approvals and released calls are stored. */
export const KEPT_MS = 30 * 24 * 3600_000;
/** Milliseconds for which digests of what was written after untrusted text are stored. */
export const WRITES_KEPT_MS = 90 * 24 * 3600_000;
/** How soon the alarm rings for expiry alone, at the earliest. */
export const SWEEP_MS = 3600_000;
/** How long the same request gets the same calls again. */
export const RETRY_MS = 60_000;
