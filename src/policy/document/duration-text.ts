/** Durations as settings of the policy write them. Pure. */
import * as z from "zod";
import { once } from "../../lib/once.ts";

/** Milliseconds of each unit in which a duration is written. */
export const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const durationText = /^([1-9]\d{0,8})(ms|s|m|h|d)$/;

/** Milliseconds → "1d", "90s": the largest unit that leaves no rest. */
export function durationAsWritten(ms: number): string {
  for (const unit of ["d", "h", "m", "s"] as const) if (ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`;
  return `${ms}ms`;
}

/** "30s", "1h", "7d" → milliseconds. */
export const duration = once(() =>
  z
    .string()
    .regex(durationText, "must be a duration such as `30s`, `5m`, `1h` or `7d`")
    .transform((text) => {
      const [, count, unit] = durationText.exec(text) ?? [];
      return Number(count) * unitMs[unit as keyof typeof unitMs];
    }),
);
