/** The one meter of this isolate: the Worker and the objects that share it count together. */
import { wait } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { MetricsHubPort } from "../../ports/telemetry-port.ts";
import { createMeter, type Meter } from "./meter.ts";

let meter: Meter | undefined;

/** Made at the first use: random numbers are not available while a Worker starts. */
export function isolateMeter(): Meter {
  meter ??= createMeter(crypto.randomUUID());
  return meter;
}

/**
 * Sends the counts of one interval together, after the reply. Only the first request of an interval does it.
 * @param background keeps the worker alive until then.
 */
export function sendLater(
  hub: () => MetricsHubPort,
  options: { readonly now: number; readonly intervalMs: number },
  background: (work: Promise<unknown>) => void,
): void {
  const counted = isolateMeter();
  if (!counted.due(options.now, options.intervalMs)) return;
  background(sendAfter(counted, hub(), options.intervalMs));
}

async function sendAfter(counted: Meter, hub: MetricsHubPort, waitMs: number): Promise<void> {
  if (waitMs > 0) await wait(waitMs);
  try {
    await counted.flush(hub);
  } catch (error) {
    log("warn", "metrics_flush_failed", describeError(error));
  }
}
