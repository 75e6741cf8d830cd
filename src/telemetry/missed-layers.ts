/** Reports detection layers that could not answer, to the log and the metrics. Names and codes alone, no words of a user or a model. */
import type { DetectionLayer } from "../intent/detection.ts";
import { describeError, log } from "../lib/log.ts";
import type { TelemetrySettings } from "../settings/telemetry.ts";
import { isolateMeter } from "./metrics/isolate-meter.ts";

/** At most one line for a layer and cause in that time: a model that is away is away for every message. */
const QUIET_MS = 60_000;

export function missedLayers(
  { metrics }: TelemetrySettings,
  now: () => number,
): (layer: DetectionLayer, why: string, error?: unknown) => void {
  const reported = new Map<string, number>();
  return (layer, why, error) => {
    if (metrics) isolateMeter().count("toolgate_detection_missed", { layer });
    const last = reported.get(`${layer} ${why}`);
    if (last !== undefined && now() - last < QUIET_MS) return;
    reported.set(`${layer} ${why}`, now());
    log(error === undefined ? "warn" : "error", "detection_layer_missed", {
      layer,
      why,
      ...(error === undefined ? {} : describeError(error)),
    });
  };
}
