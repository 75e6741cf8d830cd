/** Under what conditions figures were taken, and whether the machine was quiet enough for them to mean something. */
import { cpus, loadavg, totalmem } from "node:os";
import { workerdVersion } from "../run/workerd.ts";

export interface Conditions {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly workerd: string;
  /** Of the last minute, before the bench put its own load on. */
  readonly load: number;
}

/** Processes that wait for a core, for each core: more than this and the figures are partly theirs. */
const QUIET = 0.25;

export function readConditions(): Conditions {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    cpu: all[0]?.model ?? "unknown",
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    workerd: workerdVersion,
    load: loadavg()[0] ?? Number.NaN,
  };
}

export const describeConditions = ({ date, cpu, cores, memoryGiB, node, workerd, load }: Conditions): string =>
  `${cpu}, ${cores} cores, ${memoryGiB} GiB, node ${node}, workerd ${workerd}, ${date}, load ${load.toFixed(2)} before`;

/** What to say where others were at work; nothing on a quiet machine. */
export function noiseWarning({ load, cores }: Conditions): string | undefined {
  if (!(load / cores > QUIET)) return undefined;
  return `the machine is busy (load ${load.toFixed(2)} on ${cores} cores): the figures are partly those of its other work`;
}
