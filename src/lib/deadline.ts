/** Time limits on work that may never end. */

export interface Deadline {
  /** Fires when the time is over, or when the client disconnects. */
  readonly signal: AbortSignal;
  /** Why the signal fired; undefined while it has not. */
  readonly ended: "timeout" | "cancelled" | undefined;
  /** The work's result, or a rejection as soon as the signal fires: not all work obeys a signal. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Must be called in the end: a deadline holds a timer and listens to the client's signal. */
  stop(): void;
}

/**
 * @param ms from now.
 * @param client fires when the client disconnects. Without it the work continues.
 */
export function startDeadline(ms: number, client?: AbortSignal): Deadline {
  const controller = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => {});
  let ended: Deadline["ended"];
  const end = (why: "timeout" | "cancelled"): void => {
    if (ended !== undefined) return;
    ended = why;
    stop();
    const reason = why === "timeout" ? noAnswer(ms) : new Error(why);
    controller.abort(reason);
    over.reject(reason);
  };
  const leave = (): void => end("cancelled");
  const timer = setTimeout(() => end("timeout"), Math.max(ms, 0));
  const stop = (): void => {
    clearTimeout(timer);
    client?.removeEventListener("abort", leave);
  };
  if (client) whenAborted(client, leave);
  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    race: (work) => Promise.race([work, over.promise]),
    stop,
  };
}

/** The work's result, or a rejection after `ms`; the work itself continues. No signal, which is most of what a deadline costs. */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noAnswer(ms)), Math.max(ms, 0));
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Resolves after `ms`, or at once when the signal fires. */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });

/** Calls `leave` when the signal fires, or at once if it has fired: a listener does not hear an abort that came before it. */
export function whenAborted(signal: AbortSignal, leave: () => void): void {
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
}

const noAnswer = (ms: number): Error => new Error(`no answer within ${ms} ms`);
