/**
 * Whether audit records reach the database. Only users' objects write to it, and each sees its own deliveries only. So they report
 * failures to one shared object, which `/health` asks: a few times a minute from each isolate, at no cost per user.
 */

import { withTimeout } from "../lib/deadline.ts";
import { describeError, log } from "../lib/log.ts";
import { DAY_MS } from "../lib/time.ts";

/**
 * `dead_letters`: the queue gave messages up in the last day. Their records are kept, and the objects send them again.
 * `export_failing`: a receiver of records takes none.
 */
export type TrailStatus = "ok" | "failing" | "full" | "dead_letters" | "export_failing";

export interface TrailHealthPort {
  /** A delivery failed just now. @param full because the database has no room. */
  deliveryFailed(full: boolean): Promise<void>;
  deadLettersKept(): Promise<void>;
  exportFailed(): Promise<void>;
  trailStatus(): Promise<TrailStatus>;
}

/** An object tries again within five minutes: if no delivery has failed for longer, the trouble is over. */
export const TROUBLE_LASTS_MS = 360_000;
export const DEAD_LETTERS_LAST_MS = DAY_MS;
/** Reports of one isolate, however many objects are in it. */
const REPORT_EVERY_MS = 60_000;
/** Questions of one isolate, however often it is probed: `/health` needs no key. */
const ASK_EVERY_MS = 15_000;
const ANSWER_MS = 2_000;

/** A time in the future does not count: the clock was set back since. */
export const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;

let reported: { readonly at: number; readonly full: boolean } | undefined;

/** @param background keeps the object alive for it. */
export function reportFailedDelivery(
  hub: () => Pick<TrailHealthPort, "deliveryFailed">,
  { full, now }: { readonly full: boolean; readonly now: number },
  background: (work: Promise<unknown>) => void,
): void {
  const isKnown = reported && isWithin(REPORT_EVERY_MS, reported.at, now) && (reported.full || !full);
  if (isKnown) return;
  reported = { at: now, full };
  background(send(() => hub().deliveryFailed(full)));
}

let exportReported: number | undefined;

/** @param background keeps the object alive for it. */
export function reportFailedExport(
  hub: () => Pick<TrailHealthPort, "exportFailed">,
  now: number,
  background: (work: Promise<unknown>) => void,
): void {
  if (exportReported !== undefined && isWithin(REPORT_EVERY_MS, exportReported, now)) return;
  exportReported = now;
  background(send(() => hub().exportFailed()));
}

async function send(report: () => Promise<void>): Promise<void> {
  try {
    await report();
  } catch (error) {
    log("warn", "trail_health_not_reported", describeError(error));
  }
}

/** For `/health`. `unknown`: the object that knows cannot be reached. */
export function trailHealth(
  hub: () => Pick<TrailHealthPort, "trailStatus">,
  now: () => number,
): () => Promise<TrailStatus | "unknown"> {
  let known: { readonly at: number; readonly status: TrailStatus | "unknown" } | undefined;
  return async () => {
    const at = now();
    if (known && isWithin(ASK_EVERY_MS, known.at, at)) return known.status;
    // Meanwhile, other requests get the last known status, so that a slow object gets no more requests.
    known = { at, status: known?.status ?? "unknown" };
    known = { at, status: await ask(hub) };
    return known.status;
  };
}

async function ask(hub: () => Pick<TrailHealthPort, "trailStatus">): Promise<TrailStatus | "unknown"> {
  try {
    return await withTimeout(ANSWER_MS, hub().trailStatus());
  } catch (error) {
    log("warn", "trail_health_unknown", describeError(error));
    return "unknown";
  }
}
