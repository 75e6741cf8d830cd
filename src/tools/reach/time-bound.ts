/** The time that a request to somebody else's server has: until its deadline, or until the client is gone. */

export type Ended = "timeout" | "cancelled";

export interface TimeBound {
  /** For the request: fires when the time is over. */
  readonly signal: AbortSignal;
  /** Why it is over; undefined while it is not. */
  readonly ended: Ended | undefined;
  /** The work's result, or a rejection as soon as the time is over: not everything heeds a signal. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Must be called in the end: it holds a timer, and listens to the client's signal. */
  stop(): void;
}

/** @param ms from now. @param client absent: who asked may go, the work goes on. */
export function timeBound(ms: number, client?: AbortSignal): TimeBound {
  const controller = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => {});
  let ended: Ended | undefined;
  const end = (why: Ended): void => {
    if (ended !== undefined) return;
    ended = why;
    stop();
    const reason = new Error(why);
    controller.abort(reason);
    over.reject(reason);
  };
  const leave = (): void => end("cancelled");
  const timer = setTimeout(() => end("timeout"), Math.max(ms, 0));
  const stop = (): void => {
    clearTimeout(timer);
    client?.removeEventListener("abort", leave);
  };
  if (client?.aborted) end("cancelled");
  else client?.addEventListener("abort", leave);
  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    race: (work) => Promise.race([work, over.promise]),
    stop,
  };
}
