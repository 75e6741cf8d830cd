/** Holds the reply open until a person has decided, or the time limit is reached. */

import type { Approval } from "../../approvals/approval.ts";
import { wait, whenAborted } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { updateLog } from "../turn-log.ts";

/** @returns the approvals, none of them pending; undefined if `signal` fired, which leaves them as they are. */
export async function holdFor(
  deps: TurnDeps,
  turn: Turn,
  approvals: readonly Approval[],
  reply: Pick<Reply, "hold">,
  signal = turn.input.signal,
): Promise<readonly Approval[] | undefined> {
  updateLog(turn.log, { waiting: approvals });
  reply.hold("person");
  const ended = deps.observer?.holdBegan();
  const ids = approvals.map(({ id }) => id);
  try {
    const answered = await waitUntilDone(
      signal,
      "approvals",
      () => deps.guard.approvals.wait(ids, WAIT_MS),
      (current) => current.every(({ status }) => status !== "pending"),
    );
    return answered && inOrder(approvals, answered);
  } finally {
    ended?.();
  }
}

/** An approval that is not listed any more has ended with its session: deciding it refuses it. */
const inOrder = (approvals: readonly Approval[], current: readonly Approval[]): readonly Approval[] =>
  approvals.map((one) => current.find(({ id }) => id === one.id) ?? { ...one, status: "cancelled" });

/** How long UserGuard waits per request; it may take no longer. */
export const WAIT_MS = 10_000;
/** An object that was moved or restarted answers again soon, with the same state. */
const MAX_FAILURES = 5;
const PAUSE_MS = 1_000;

/**
 * @param what names the log's event if the request fails.
 * @returns the state when it was done; undefined if the client went away. Rejects after too many failures.
 */
export async function waitUntilDone<T>(
  signal: AbortSignal,
  what: string,
  ask: () => Promise<T>,
  isDone: (state: T) => boolean,
): Promise<T | undefined> {
  const gone = abortOf(signal);
  let failures = 0;
  try {
    while (!signal.aborted) {
      const state = await Promise.race([gone.promise, once(what, ask)]);
      if (state?.kind === "failed" && ++failures > MAX_FAILURES) throw new Error(`${what} could not be waited for`);
      if (state?.kind === "failed") await wait(PAUSE_MS, signal);
      else if (state && isDone(state.value)) return state.value;
      else failures = 0;
    }
    return undefined;
  } finally {
    gone.forget();
  }
}

type WaitResult<T> = { readonly kind: "read"; readonly value: T } | { readonly kind: "failed" };

async function once<T>(what: string, ask: () => Promise<T>): Promise<WaitResult<T>> {
  try {
    return { kind: "read", value: await ask() };
  } catch (error) {
    log("warn", `${what}_wait_failed`, describeError(error));
    return { kind: "failed" };
  }
}

function abortOf(signal: AbortSignal): { readonly promise: Promise<undefined>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  whenAborted(signal, onAbort);
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}
