/** How large the Workers are, and what it costs to start them. */
import { gzipSync } from "node:zlib";
import type { Bundle } from "../../../src/cli/build/worker.ts";
import { type Goal, judgeSize } from "../report/goals.ts";
import { show } from "../report/table.ts";
import { measureStartups, type Startup } from "../startup.ts";

export interface WorkerSize extends Partial<Startup> {
  readonly name: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

export async function measureSizes(bundles: readonly Bundle[], runs: number): Promise<WorkerSize[]> {
  const startups = await measureStartups(bundles, runs);
  return bundles.map(({ name, code }) => {
    const gzipBytes = gzipSync(code, { level: 9 }).length;
    return { name, bytes: Buffer.byteLength(code), gzipBytes, ...startups.get(name) };
  });
}

export function judgeSizes(sizes: readonly WorkerSize[]): Goal[] {
  const find = (wanted: string) => sizes.find(({ name }) => name === wanted);
  const [own, bare] = [find("toolgate"), find("bare")];
  if (!own || !bare) return [];
  const cpuMs = own.cpuMs === undefined || bare.cpuMs === undefined ? undefined : own.cpuMs - bare.cpuMs;
  const startMs = cpuMs ?? (own.wallMs ?? Number.NaN) - (bare.wallMs ?? Number.NaN);
  return judgeSize({ gzipBytes: own.gzipBytes, startMs, cpu: cpuMs !== undefined });
}

export function describeSizes(sizes: readonly WorkerSize[]): string {
  const lines = sizes.map(({ name, bytes, gzipBytes, wallMs, cpuMs }) => {
    const size = `${show(bytes / 1024, 1)} KiB, ${show(gzipBytes / 1024, 1)} KiB gzipped`;
    return `  ${name}: ${size}; fresh workerd to first answer ${show(wallMs, 0)} ms, CPU ${show(cpuMs, 0)} ms`;
  });
  return `sizes and start-up (medians)\n${lines.join("\n")}`;
}
