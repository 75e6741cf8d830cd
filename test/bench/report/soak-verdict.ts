/** Whether a steady load is served steadily: the live heap and the latency flat over the run, or not. Pure. */
import { type BoundedSlope, boundedSlope, type Point, steadySlope } from "./statistics.ts";
import { show, signed } from "./table.ts";

/** What one interval of the soak came to; `at` in seconds, times in milliseconds. */
export interface SoakSample {
  readonly at: number;
  /** In this interval. */
  readonly answers: number;
  readonly failures: number;
  /** Of the Worker's isolate after a collection, while no request is under way. */
  readonly heapBytes: number;
  /** Of the process: not judged, because workerd's own memory grows for tens of thousands of requests, whatever it serves. */
  readonly rssMiB: number;
  readonly cpuShare: number;
  readonly tokenP50: number;
  readonly tokenP99: number;
  readonly totalP50: number;
  readonly totalP99: number;
}

/** The share of the run in which caches fill and code is compiled; it says nothing of a leak. */
const SETTLING = 0.2;

function settled(samples: readonly SoakSample[]): readonly SoakSample[] {
  const end = samples.at(-1)?.at ?? 0;
  return samples.filter(({ at }) => at >= end * SETTLING);
}

/** Growth that is no leak, in bytes an answer: an isolate gains less than 10 MiB in its first hundred thousand answers. */
const HEAP_LIMIT = 100;

export interface HeapTrend extends BoundedSlope {
  readonly level: number;
  /** `unclear` where the run is too short, or too noisy, to tell. */
  readonly verdict: "flat" | "grows" | "unclear";
}

/** Slope and margin in bytes an answer, level in bytes. */
export function heapTrend(samples: readonly SoakSample[]): HeapTrend {
  let answers = 0;
  const points = settled(samples).map((sample) => {
    answers += sample.answers;
    return { x: answers, y: sample.heapBytes };
  });
  const { slope, margin } = boundedSlope(points);
  const level = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const isFlat = slope + margin <= HEAP_LIMIT;
  return { slope, margin, level, verdict: isFlat ? "flat" : slope - margin > 0 ? "grows" : "unclear" };
}

const heapWords = { flat: "flat    ", grows: "NOT flat", unclear: "unclear " } as const;

export function describeHeap({ slope, margin, level, verdict }: HeapTrend): string {
  const growth = `${signed(slope)} ± ${show(margin)} bytes an answer, at most ${HEAP_LIMIT} allowed`;
  const advice = verdict === "unclear" ? ": run longer, or with more starts a second" : "";
  return `  ${heapWords[verdict]}  heap after a collection: ${show(level / 2 ** 20, 1)} MiB, grows ${growth}${advice}`;
}

export interface LatencyTrend {
  readonly name: string;
  readonly level: number;
  /** What the steady slope comes to over the whole run. */
  readonly drift: number;
  readonly flat: boolean;
}

interface Watched {
  readonly key: "tokenP50" | "tokenP99" | "totalP50" | "totalP99";
  readonly name: string;
  /** A drift is none while it is below this share of the level, or below this many milliseconds. */
  readonly share: number;
  readonly least: number;
}

export const watched: readonly Watched[] = [
  { key: "tokenP50", name: "first token p50", share: 0.15, least: 0.5 },
  { key: "tokenP99", name: "first token p99", share: 0.3, least: 5 },
  { key: "totalP50", name: "whole answer p50", share: 0.15, least: 1 },
  { key: "totalP99", name: "whole answer p99", share: 0.3, least: 10 },
];

export function latencyTrends(samples: readonly SoakSample[]): LatencyTrend[] {
  return watched.map(({ key, name, share, least }) => {
    const points = pointsOf(settled(samples), key);
    const level = points.reduce((sum, { y }) => sum + y, 0) / points.length;
    const drift = steadySlope(points) * ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0));
    return { name, level, drift, flat: drift <= Math.max(least, level * share) };
  });
}

/** Intervals in which nothing was answered have no latency. */
export const pointsOf = (samples: readonly SoakSample[], key: Watched["key"] | "rssMiB"): Point[] =>
  samples.flatMap(({ at, [key]: y }) => (Number.isFinite(y) ? [{ x: at, y }] : []));

export const describeLatency = ({ name, level, drift, flat }: LatencyTrend): string =>
  `  ${flat ? "flat    " : "NOT flat"}  ${name}: ${show(level, 1)} ms, drifts ${signed(drift)} ms over the run`;
