/** From samples to figures. Pure. */
import type { ContenderName } from "../run/contender.ts";
import type { Sample } from "../run/exchange.ts";
import type { Block } from "../run/load.ts";
import { quantile } from "./statistics.ts";

export interface Spread {
  /** What a moment takes in which the machine does little else. */
  readonly p10: number;
  readonly p50: number;
  readonly p99: number;
}

/** Times in milliseconds. */
export interface Figures {
  readonly contender: ContenderName;
  readonly requests: number;
  readonly failures: readonly string[];
  readonly firstByte: Spread;
  readonly firstToken: Spread;
  readonly total: Spread;
  readonly perSecond: number;
  /** Of the serving process for a request, what it does after the answer included. */
  readonly cpuMs?: number;
  readonly rssMiB?: number;
  readonly peakMiB?: number;
}

/** With fewer samples a 99th percentile is the slowest of them. */
export const ENOUGH_FOR_P99 = 100;

export interface UsedByCase {
  readonly cpuMs: number;
  readonly rssMiB: number;
  readonly peakMiB: number;
}

export function summarise(contender: ContenderName, blocks: readonly Block[], used: UsedByCase | undefined): Figures {
  const samples = blocks.flatMap((block) => block.samples);
  const failures = blocks.flatMap((block) => block.failures);
  const spread = (key: keyof Sample): Spread => {
    const values = samples.map((sample) => sample[key]);
    return { p10: quantile(values, 0.1), p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
  };
  return {
    contender,
    requests: samples.length,
    failures,
    firstByte: spread("firstByte"),
    firstToken: spread("firstToken"),
    total: spread("total"),
    perSecond: (samples.length * 1000) / blocks.reduce((sum, block) => sum + block.elapsedMs, 0),
    ...(used && { ...used, cpuMs: used.cpuMs / (samples.length + failures.length) }),
  };
}
