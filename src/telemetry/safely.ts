/** Telemetry that fails must not fail a request, nor a delivery. */
import { describeError } from "../lib/describe-error.ts";
import { log } from "../lib/log.ts";

/** What `tell` returns; undefined where it throws, which is logged. */
export function safely<T>(tell: () => T): T | undefined {
  try {
    return tell();
  } catch (error) {
    log("error", "telemetry_failed", describeError(error));
    return undefined;
  }
}
