/** Traces, if the settings ask for them. Their code is bundled, and evaluated only then. */
import type { TelemetrySettings } from "../../settings/telemetry.ts";
import type { Tracing } from "./otlp-tracing.ts";

export function lazyTracing(
  { traces }: TelemetrySettings,
  fetcher: typeof fetch,
): (() => Promise<Tracing>) | undefined {
  if (!traces) return undefined;
  let tracing: Tracing | undefined;
  return async () => {
    tracing ??= (await import("./otlp-tracing.ts")).otlpTracing(traces, fetcher);
    return tracing;
  };
}
