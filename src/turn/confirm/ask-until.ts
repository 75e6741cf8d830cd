/** Asking UserGuard again and again for what somebody else must bring, as long as the client is there. */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";

/** How long UserGuard is asked to wait at a time; it may take no longer. */
export const WAIT_MS = 10_000;
/** An object that was moved or restarted answers again soon; what is waited for is where it was. */
const MAX_FAILURES = 5;
const PAUSE_MS = 1_000;

/**
 * @param what names the log's event where asking fails.
 * @returns what was told when it was done; undefined where the client went away. Rejects after too many failures.
 */
export async function askUntil<T>(
  signal: AbortSignal,
  what: string,
  ask: () => Promise<T>,
  isDone: (told: T) => boolean,
): Promise<T | undefined> {
  const gone = goneOf(signal);
  let failures = 0;
  try {
    while (!signal.aborted) {
      const told = await Promise.race([gone.promise, once(what, ask)]);
      if (told?.kind === "failed" && ++failures > MAX_FAILURES) throw new Error(`${what} could not be waited for`);
      if (told?.kind === "failed") await Promise.race([gone.promise, pause()]);
      else if (told && isDone(told.value)) return told.value;
      else failures = 0;
    }
    return undefined;
  } finally {
    gone.forget();
  }
}

type Told<T> = { readonly kind: "told"; readonly value: T } | { readonly kind: "failed" };

async function once<T>(what: string, ask: () => Promise<T>): Promise<Told<T>> {
  try {
    return { kind: "told", value: await ask() };
  } catch (error) {
    log("warn", `${what}_wait_failed`, describeError(error));
    return { kind: "failed" };
  }
}

const pause = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), PAUSE_MS));

function goneOf(signal: AbortSignal): { readonly promise: Promise<undefined>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}
