/** What work costs in this thread's own CPU time: on a busy machine it also waits, which says nothing of the work. */

/** On some machines the clock ticks once in ten milliseconds: shorter work is repeated until there is something to measure. */
const measurable = 50;

/** In milliseconds, since `before`. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** In milliseconds, for one of as many runs as it takes. */
export function cpuTime(run: () => void): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    run();
    const spent = cpuSince(before);
    if (spent >= measurable) return spent / runs;
  }
}

/** The least of several measurements: the compiler's warming up, and what caches other work emptied, are no part of it. */
export function leastCpuTime(run: () => void): number {
  return Math.min(cpuTime(run), cpuTime(run), cpuTime(run));
}

/**
 * How many times the CPU time of work on `size` the work on four times as much takes: on any machine about 1 where it does
 * not depend on the size, 4 where it is linear, 16 where it is quadratic.
 */
export function growthOf(size: number, work: (size: number) => () => void): number {
  return leastCpuTime(work(4 * size)) / leastCpuTime(work(size));
}

/** Of `growthOf`, for linear work on a machine that has other work. */
export const LINEAR = 8;
