/** Times in two units at most. Pure. */

const sizes = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

export type TimeUnit = keyof typeof sizes;
export type UnitNames = Readonly<Record<TimeUnit, string>>;

const largestFirst = Object.keys(sizes) as readonly TimeUnit[];
/** Above it seconds only distract. */
const SECONDS_BELOW = 5 * 60;

/** `23 h 59 min`, rounded down: who reads it has at least that. */
export function durationText(ms: number, names: UnitNames): string {
  const seconds = wholeSeconds(ms);
  const unit = largestUnit(seconds);
  const next = largestFirst[largestFirst.indexOf(unit) + 1];
  const rest = seconds % sizes[unit];
  const parts = [part(seconds, unit, names)];
  if (next && rest >= sizes[next] && (next !== "second" || seconds < SECONDS_BELOW))
    parts.push(part(rest, next, names));
  return parts.join(" ");
}

/** `2 min`, in one unit; undefined below a minute. */
export function roughDuration(ms: number, names: UnitNames): string | undefined {
  const seconds = wholeSeconds(ms);
  return seconds < sizes.minute ? undefined : part(seconds, largestUnit(seconds), names);
}

const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

const largestUnit = (seconds: number): TimeUnit => largestFirst.find((unit) => seconds >= sizes[unit]) ?? "second";

const part = (seconds: number, unit: TimeUnit, names: UnitNames): string =>
  `${Math.floor(seconds / sizes[unit])} ${names[unit]}`;
