/** Holding the reply open until somebody has decided, or the time for it is over. */
import type { Approval } from "../approvals/approval.ts";
import { describeError } from "../lib/describe-error.ts";
import { log } from "../lib/log.ts";
import type { Reply } from "./reply-port.ts";
import type { Turn, TurnDeps } from "./turn.ts";

/** How long UserGuard is asked to wait at a time; it may take no longer. */
const WAIT_MS = 10_000;
/** An object that was moved or restarted answers again soon; the approvals are where they were. */
const MAX_FAILURES = 5;
const PAUSE_MS = 1_000;

/** @returns the approvals, none of them pending; undefined where the client went away, which leaves them as they are. */
export async function holdFor(
  deps: TurnDeps,
  turn: Turn,
  asked: readonly Approval[],
  reply: Reply,
): Promise<readonly Approval[] | undefined> {
  turn.waiting = asked;
  reply.hold();
  deps.watch?.holdBegan();
  const gone = goneOf(turn.input.signal);
  const ids = asked.map(({ id }) => id);
  let failures = 0;
  try {
    while (!turn.input.signal.aborted) {
      const answered = await Promise.race([gone.promise, waitOnce(deps, ids)]);
      if (answered === "failed" && ++failures > MAX_FAILURES) throw new Error("the approvals could not be waited for");
      if (answered === "failed") await Promise.race([gone.promise, pause()]);
      else if (answered?.every(({ status }) => status !== "pending")) return inOrder(asked, answered);
      else failures = 0;
    }
    return undefined;
  } finally {
    gone.forget();
    deps.watch?.holdEnded();
  }
}

async function waitOnce({ guard }: TurnDeps, ids: readonly string[]): Promise<readonly Approval[] | "failed"> {
  try {
    return await guard.awaitApprovals(ids, WAIT_MS);
  } catch (error) {
    log("warn", "approvals_wait_failed", describeError(error));
    return "failed";
  }
}

/** One that is not told any more has ended with its session: deciding it refuses it. */
const inOrder = (asked: readonly Approval[], told: readonly Approval[]): readonly Approval[] =>
  asked.map((one) => told.find(({ id }) => id === one.id) ?? { ...one, status: "cancelled" });

const pause = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), PAUSE_MS));

function goneOf(signal: AbortSignal): { readonly promise: Promise<undefined>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}
