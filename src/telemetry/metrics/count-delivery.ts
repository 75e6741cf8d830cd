/** Counts deliveries of audit records for the metrics. Called by the users' objects, which share their isolate's meter. */

import type { MetricsHubPort } from "../../ports/telemetry-port.ts";
import { safely } from "../safe-words.ts";
import { isolateMeter, sendLater } from "./isolate-meter.ts";
import type { Meter } from "./meter.ts";

/** The counted members of a record. It was written at `endedAt`, or at `at` if it has none. */
type CountedRecord = CountedKind & { readonly at: number; readonly endedAt?: number };

type CountedKind =
  | { readonly kind: "decision" | "connection" | "reset" | "change" | "erased" }
  | {
      readonly kind: "turn";
      readonly arm?: string | undefined;
      readonly steps: number;
      readonly systemFirst?: { readonly outcome: string } | undefined;
    }
  | { readonly kind: "approval"; readonly event: string; readonly channel: string }
  | {
      readonly kind: "run";
      readonly executor: string;
      readonly status: string;
      readonly failure: string | null;
      readonly ms: number;
    }
  | { readonly kind: "plan"; readonly event: string };

/** The hub, how often counts are sent to it, and what keeps the object awake until then. */
type HubAccess = readonly [
  hub: () => MetricsHubPort,
  options: { readonly intervalMs: number },
  background: (work: Promise<unknown>) => void,
];

function countAndSend([hub, options, background]: HubAccess, count: (meter: Meter, now: number) => void): void {
  safely(() => {
    const now = Date.now();
    count(isolateMeter(), now);
    sendLater(hub, { now, ...options }, background);
  });
}

/**
 * Never throws: a failed count must not fail the delivery.
 *
 * Records are counted, because they have everything: the user's object records each event of an approval, on whatever channel it was
 * answered, and how each managed call ended, even if the worker that ran it is gone. Records that an operator delivers again are counted
 * again.
 * @param delivery the delivered records, or what is known of those that were not delivered.
 */
export function countDelivery(delivery: readonly CountedRecord[] | FailedDelivery, ...hub: HubAccess): void {
  countAndSend(hub, (meter, now) => {
    if ("full" in delivery) countFailure(meter, delivery, now);
    else countRecords(meter, delivery, now);
  });
}

/** Counts the outcome of an export of records to a receiver. Never throws. */
export function countExport(
  { sent, missed, failed }: { readonly sent: number; readonly missed: number; readonly failed: boolean },
  ...hub: HubAccess
): void {
  countAndSend(hub, (meter) => {
    if (sent > 0) meter.count("toolgate_records_exported", {}, sent);
    if (missed > 0) meter.count("toolgate_records_not_exported", {}, missed);
    if (failed) meter.count("toolgate_exports_failed");
  });
}

/** A receiver of events did not take a message. Never throws. */
export function countFailedWebhook(isGivenUp: boolean, ...hub: HubAccess): void {
  countAndSend(hub, (meter) => {
    meter.count("toolgate_webhooks_failed");
    if (isGivenUp) meter.count("toolgate_webhooks_given_up");
  });
}

export interface FailedDelivery {
  /** The database has no room. */
  readonly full: boolean;
  /** The oldest of the waiting records; absent if D1 has refused each of them singly. */
  readonly oldest: CountedRecord | undefined;
}

function countFailure(meter: Pick<Meter, "count" | "observe">, { full, oldest }: FailedDelivery, now: number): void {
  meter.count("toolgate_audit_deliveries_failed");
  if (full) meter.count("toolgate_audit_database_full");
  if (oldest) observeLag(meter, [oldest], now);
}

function observeLag(meter: Pick<Meter, "observe">, records: readonly CountedRecord[], now: number): void {
  const written = Math.min(...records.map(({ at, endedAt = at }) => endedAt));
  meter.observe("toolgate_audit_lag_seconds", Math.max(0, now - written) / 1000);
}

function countRecords(meter: Pick<Meter, "count" | "observe">, records: readonly CountedRecord[], now: number): void {
  meter.count("toolgate_audit_records_delivered", {}, records.length);
  if (records.length > 0) observeLag(meter, records, now);
  for (const record of records) {
    if (record.kind === "turn") countVariant(meter, record);
    if (record.kind === "plan") meter.count("toolgate_plans", { event: record.event });
    if (record.kind === "approval") {
      const { event, channel } = record;
      meter.count("toolgate_approvals", { event, channel });
    }
    if (record.kind === "run") countRun(meter, record);
  }
}

/** Turns of both variants, so that operators can compare them while a rollout runs. */
function countVariant(
  meter: Pick<Meter, "count">,
  { arm, steps, systemFirst }: Extract<CountedRecord, { readonly kind: "turn" }>,
): void {
  if (systemFirst) meter.count("toolgate_system_first", { outcome: systemFirst.outcome });
  if (arm === undefined) return;
  meter.count("toolgate_arm_turns", { arm });
  meter.count("toolgate_arm_steps", { arm }, steps);
}

/** Labels from closed sets only: each tool's name or host would be a series of its own. */
function countRun(
  meter: Pick<Meter, "count" | "observe">,
  { executor: kind, status, failure, ms }: Extract<CountedRecord, { readonly kind: "run" }>,
): void {
  meter.count("toolgate_runs", { kind, status });
  if (failure !== null) meter.count("toolgate_run_failures", { kind, failure });
  // Nothing was sent, or the worker that could measure the time is gone.
  if (status === "not_started" || (status === "unknown" && failure === null)) return;
  meter.observe("toolgate_run_duration_seconds", ms / 1000);
}
