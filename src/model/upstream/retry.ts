/** Whether a failed attempt is repeated, at which upstream, and after how long. Pure. */

import { retryAfterMs } from "../../lib/back-off.ts";

/** How an attempt failed before anything of its answer was used. */
export type Failure =
  /** No connection, or one that broke before the first event. */
  | { readonly kind: "unreachable" }
  | { readonly kind: "timeout" }
  | { readonly kind: "answered"; readonly status: number; readonly headers: Headers };

interface Advice {
  /** At the same upstream. */
  readonly again: boolean;
  /** The wait that the upstream requests; undefined if it requests none. */
  readonly waitMs: number | undefined;
  /** Whether to try the next upstream, if this one is not tried again. */
  readonly next: boolean;
  /** The pause that the upstream requested, if it is longer than a client should wait. */
  readonly holdMs: number;
}

/** The longest wait for one upstream: after that the next is tried, or the answer goes to the client. */
const MAX_WAIT_MS = 10_000;

/** The upstream's fault, or its load. Without 409: for a model call that conflict does not pass. */
const TRANSIENT_STATUS = new Set([408, 429, 500, 502, 503, 504, 529]);
/** The gateway's own account: its key is not valid, or has no credit. Another attempt fails too, but another upstream may work. */
const ACCOUNT = new Set([401, 402]);

export function advise(failure: Failure, now: number): Advice {
  const advice = (again: boolean, next: boolean, waitMs?: number, holdMs = 0): Advice => ({
    again,
    next,
    waitMs,
    holdMs,
  });
  if (failure.kind === "unreachable") return advice(true, true);
  // Another wait would most likely be as long and in vain.
  if (failure.kind === "timeout") return advice(false, true);
  const { status, headers } = failure;
  if (status < 400) return advice(false, false);
  // A proxy before the upstream has statuses of its own for an upstream that is down (520 to 530).
  const next = status >= 500 || TRANSIENT_STATUS.has(status) || ACCOUNT.has(status);
  const header = headers.get("x-should-retry");
  const again = header === "true" || (header !== "false" && TRANSIENT_STATUS.has(status));
  if (!again) return advice(false, next);
  const waitMs = retryAfterMs(headers, now);
  return waitMs !== undefined && waitMs > MAX_WAIT_MS
    ? advice(false, next, undefined, waitMs)
    : advice(true, next, waitMs);
}

/** One of a closed set, because it is a metric label. `unauthorized`: the key, or its account. */
export type AttemptOutcome = "ok" | "unreachable" | "timeout" | "unauthorized" | "rate_limited" | "4xx" | "5xx";

export function outcomeOf(failure: Failure): AttemptOutcome {
  if (failure.kind !== "answered") return failure.kind;
  const { status } = failure;
  if (isAboutAccount(failure)) return "unauthorized";
  if (status === 429) return "rate_limited";
  // A redirect is not followed.
  return status < 500 ? "4xx" : "5xx";
}

export const isAboutAccount = (failure: Failure): boolean => failure.kind === "answered" && ACCOUNT.has(failure.status);

/**
 * The order in which failures help a client: an answer helps more than silence, and of the answers one about the gateway's account least.
 */
export function failureRank(failure: Failure): number {
  if (failure.kind === "unreachable") return 0;
  if (failure.kind === "timeout") return 1;
  return ACCOUNT.has(failure.status) ? 2 : 3;
}
