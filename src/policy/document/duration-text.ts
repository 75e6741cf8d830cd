/** Durations as settings of the policy write them. Pure. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { parseDuration, unitMs } from "../../lib/time.ts";

/** Milliseconds → "1d", "90s": the largest unit that leaves no rest. */
export function durationAsWritten(ms: number): string {
  for (const unit of ["d", "h", "m", "s"] as const) if (ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`;
  return `${ms}ms`;
}

/** "30s", "1h", "7d" → milliseconds. */
export const duration = once(() =>
  z
    .string()
    .regex(/^([1-9]\d{0,8})(ms|s|m|h|d)$/, "must be a duration such as `30s`, `5m`, `1h` or `7d`")
    .transform((text) => parseDuration(text) as number),
);
