/** Limits on answers, in the Worker that runs policy cases. */

const LEAST_MS = 60_000;

/** What a case scripts is answered at once: a limit would tell of the machine's other work alone. */
export function installTimeLimits(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(Math.max(ms, LEAST_MS));
}
