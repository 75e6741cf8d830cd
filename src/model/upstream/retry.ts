/** Whether a failed attempt is made again, where, and after how long. Pure. */

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
  /** What the upstream asks to wait before that; undefined where it does not say. */
  readonly waitMs: number | undefined;
  /** At the next upstream, if this one is not to be tried again. */
  readonly next: boolean;
  /** The pause that the upstream requested, where that is longer than a client should wait. */
  readonly holdMs: number;
}

/** Nobody waits longer than this for one upstream: the next is tried, or the answer goes to the client. */
const MAX_WAIT_MS = 10_000;

/** The upstream's fault, or its load. 409 is not among them: for a model call it is no passing conflict. */
const TRANSIENT_STATUS = new Set([408, 429, 500, 502, 503, 504, 529]);
/** The gateway's own account: its key is not valid, or has no credit. It is so at each attempt, but not elsewhere. */
const ACCOUNT = new Set([401, 402]);

export function advise(failure: Failure, now: number): Advice {
  const advice = (again: boolean, next: boolean, waitMs?: number, holdMs = 0): Advice => ({
    again,
    next,
    waitMs,
    holdMs,
  });
  if (failure.kind === "unreachable") return advice(true, true);
  // Who waited once for nothing would wait as long again.
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

/** Of a closed set: it is the label of a metric. `unauthorized`: the key, or its account. */
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

/** Of two failures the one that helps a client more: an answer helps more than silence, the gateway's account least. */
export function failureRank(failure: Failure): number {
  if (failure.kind === "unreachable") return 0;
  if (failure.kind === "timeout") return 1;
  return ACCOUNT.has(failure.status) ? 2 : 3;
}
