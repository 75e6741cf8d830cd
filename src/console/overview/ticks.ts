/** Round numbers for the scales of a chart. Pure, but for the time zone. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.ts";

const STEPS_MS = [10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS, 5 * DAY_MS] as const;
/** More do not fit below a chart on a phone. */
const MOST = 8;

/** The next of 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, … */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const factor = [1, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return factor * power;
}

interface Ticks {
  readonly everyMs: number;
  /** Milliseconds since the epoch. */
  readonly ticks: readonly number[];
}

/** At full hours or midnights of the reader's own time. */
export function ticksOf(from: number, to: number): Ticks {
  const everyMs = STEPS_MS.find((step) => (to - from) / step <= MOST) ?? 5 * DAY_MS;
  const ticks: number[] = [];
  const at = new Date(from);
  at.setHours(0, 0, 0, 0);
  while (at.getTime() < to) {
    if (at.getTime() >= from) ticks.push(at.getTime());
    // By the calendar: where clocks change, a day has another length.
    if (everyMs >= DAY_MS) at.setDate(at.getDate() + everyMs / DAY_MS);
    else at.setTime(at.getTime() + everyMs);
  }
  return { everyMs, ticks };
}
