/** Whether a steady load is served steadily: memory and latency flat over the run, or not. Pure. */
import { type Point, steadySlope } from "./statistics.ts";
import { show, signed } from "./table.ts";

/** What one interval of the soak came to; `at` in seconds, times in milliseconds, memory in MiB. */
export interface SoakSample {
  readonly at: number;
  readonly answers: number;
  readonly failures: number;
  readonly rssMiB: number;
  /** That of the bare Worker, which is sent the same requests. */
  readonly bareMiB: number;
  readonly cpuShare: number;
  readonly tokenP50: number;
  readonly tokenP99: number;
  readonly totalP50: number;
  readonly totalP99: number;
}

export interface Trend {
  readonly name: string;
  readonly unit: string;
  readonly level: number;
  /** What the steady slope comes to over the whole run. */
  readonly drift: number;
  /** How much of it the runtime is to blame for: the bare Worker, too, has drifted by so much. */
  readonly runtime: number;
  readonly flat: boolean;
}

interface Watched {
  readonly key: "rssMiB" | "tokenP50" | "tokenP99" | "totalP50" | "totalP99";
  readonly name: string;
  readonly unit: string;
  /** A drift is none while it is below this share of the level, or below this much. */
  readonly share: number;
  readonly least: number;
  /** What drifts likewise where the runtime alone is at work. */
  readonly against?: "bareMiB";
}

export const watched: readonly Watched[] = [
  { key: "rssMiB", name: "memory (RSS)", unit: "MiB", share: 0.1, least: 8, against: "bareMiB" },
  { key: "tokenP50", name: "first token p50", unit: "ms", share: 0.15, least: 0.5 },
  { key: "tokenP99", name: "first token p99", unit: "ms", share: 0.3, least: 5 },
  { key: "totalP50", name: "whole answer p50", unit: "ms", share: 0.15, least: 1 },
  { key: "totalP99", name: "whole answer p99", unit: "ms", share: 0.3, least: 10 },
];

/** The share of the run in which caches fill and code is compiled; it says nothing of a leak. */
const SETTLING = 0.2;

/**
 * Workerd's own memory grows with each request for the first twenty or fifty thousand, even where it only says hello, and
 * falls back then. So Toolgate's is not flat where it grows by more than the bare Worker's does.
 */
export function trends(samples: readonly SoakSample[]): Trend[] {
  const end = samples.at(-1)?.at ?? 0;
  const settled = samples.filter(({ at }) => at >= end * SETTLING);
  const driftOf = (points: readonly Point[]) => steadySlope(points) * (end - (settled[0]?.at ?? 0));
  return watched.map(({ key, name, unit, share, least, against }) => {
    const points = pointsOf(settled, key);
    const level = points.reduce((sum, { y }) => sum + y, 0) / points.length;
    const drift = driftOf(points);
    const runtime = against ? Math.max(0, driftOf(pointsOf(settled, against))) : 0;
    return { name, unit, level, drift, runtime, flat: drift - runtime <= Math.max(least, level * share) };
  });
}

/** Intervals in which nothing was answered have no latency. */
export const pointsOf = (samples: readonly SoakSample[], key: Watched["key"] | "bareMiB"): Point[] =>
  samples.flatMap(({ at, [key]: y }) => (Number.isFinite(y) ? [{ x: at, y }] : []));

export function describeTrend({ name, unit, level, drift, runtime, flat }: Trend): string {
  const blame = runtime > 0 ? `, and the bare Worker's ${signed(runtime)} ${unit}` : "";
  return `  ${flat ? "flat    " : "NOT flat"}  ${name}: ${show(level, 1)} ${unit}, drifts ${signed(drift)} ${unit} over the run${blame}`;
}
