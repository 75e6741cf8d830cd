/** What a delivery of audit records adds to the metrics. Called by the users' objects, which share their isolate's meter. */
import { safely } from "../safely.ts";
import type { MetricsHubPort } from "./hub-port.ts";
import { isolateMeter, sendLater } from "./isolate-meter.ts";

/**
 * Never throws: a delivery that is not counted is a delivery all the same.
 * @param delivered how many records, or that the delivery failed.
 */
export function countDelivery(
  delivered: number | "failed",
  hub: () => MetricsHubPort,
  options: { readonly intervalMs: number },
  background: (work: Promise<unknown>) => void,
): void {
  safely(() => {
    const meter = isolateMeter();
    if (delivered === "failed") meter.count("toolgate_audit_deliveries_failed");
    else meter.count("toolgate_audit_records_delivered", {}, delivered);
    sendLater(hub, { now: Date.now(), ...options }, background);
  });
}
