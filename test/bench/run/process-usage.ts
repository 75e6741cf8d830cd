/** What a process has used, from Linux's `/proc`; undefined where the system does not tell. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Clock ticks are hundredths of a second on every Linux that node runs on. */
const TICK_MS = 10;

export interface Usage {
  /** User and system time of all threads, those that have ended included. */
  readonly cpuMs: number;
  readonly rssMiB: number;
  /** Since the process began, or since `forgetPeak`. */
  readonly peakMiB: number;
}

export function readUsage(pid: number | undefined): Usage | undefined {
  if (pid === undefined) return undefined;
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
    return { cpuMs: cpuMsOf(readFileSync(`/proc/${pid}/stat`, "utf8")), rssMiB: mib("VmRSS"), peakMiB: mib("VmHWM") };
  } catch {
    return undefined;
  }
}

/** Of the threads that run now, to the nanosecond: for work of a few milliseconds, which clock ticks are too coarse for. */
export function threadsCpuMs(pid: number | undefined): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    // The first number is the time that the thread ran, in nanoseconds.
    const ran = (id: string) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]);
    return threads.reduce((sum, id) => sum + ran(id), 0) / 1e6;
  } catch {
    return undefined;
  }
}

/** `utime` and `stime` are the 14th and 15th field; the second is a name that may hold spaces and brackets. */
export function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The peak is counted anew from now on. */
export function forgetPeak(pid: number | undefined): void {
  try {
    if (pid !== undefined) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not every kernel has it: then the peak is that of the whole run.
  }
}

/** This process's children that run the program `name`. */
export function childrenNamed(name: string): number[] {
  try {
    const threads = readdirSync("/proc/self/task");
    const ids = threads.flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, "utf8").trim().split(/\s+/));
    return ids.filter((id) => id !== "" && readFileSync(`/proc/${id}/comm`, "utf8").trim() === name).map(Number);
  } catch {
    return [];
  }
}
