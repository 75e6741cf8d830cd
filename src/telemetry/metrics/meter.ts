/**
 * The counts of one isolate, between two sendings to the hub. A batch that could not be sent is kept as it is and sent again under its
 * number: the hub may have got it nevertheless, and counts it once. Counts that an isolate has not sent when it ends are lost: at most
 * those of one interval.
 */

import type { Batch, MetricsHubPort } from "../../ports/telemetry-port.ts";
import { bucketOf, type CounterName, type HistogramName } from "./catalogue.ts";

export interface Meter {
  /** @param labels their values must be few; they are escaped when they are rendered. */
  count(name: CounterName, labels?: Readonly<Record<string, string>>, by?: number): void;
  /** @param value in the unit of the metric's name: seconds, or a plain number. */
  observe(name: HistogramName, value: number): void;
  /** Sends all counts. Rejects if the hub cannot be reached, and may then be called again. */
  flush(hub: MetricsHubPort): Promise<void>;
  /** Whether a sending must be arranged: something is counted, and none is arranged yet within the interval. */
  due(now: number, intervalMs: number): boolean;
}

/** @param isolate names the isolate that counts, for good. */
export function createMeter(isolate: string): Meter {
  let counts = new Map<string, number>();
  let unsent: Batch | undefined;
  let seq = 0;
  let arrangedAt = Number.NEGATIVE_INFINITY;
  const add = (series: string, by: number): void => {
    counts.set(series, (counts.get(series) ?? 0) + by);
  };
  const take = (): Batch | undefined => {
    if (counts.size === 0) return undefined;
    seq += 1;
    const batch = { isolate, seq, increments: Object.fromEntries(counts) };
    counts = new Map();
    return batch;
  };
  return {
    count(name, labels = {}, by = 1) {
      if (by > 0) add(seriesOf(name, labels), by);
    },
    observe(name, value) {
      add(bucketOf(name, value), 1);
      add(`${name}_sum`, value);
    },
    async flush(hub) {
      // First the batch that failed before, then the counts since. Another request may be sending the same batch: it counts once.
      for (let batch = unsent ?? take(); batch; batch = take()) {
        unsent = batch;
        await hub.add(batch);
        if (unsent !== batch) return;
        unsent = undefined;
      }
    },
    due(now, intervalMs) {
      const since = now - arrangedAt;
      // A clock that was set back must not hold the sending up until its old time returns.
      const isArranged = since >= 0 && since < intervalMs;
      if (isArranged || (counts.size === 0 && !unsent)) return false;
      arrangedAt = now;
      return true;
    },
  };
}

function seriesOf(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
