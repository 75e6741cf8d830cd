/** Holding the reply open until somebody has decided, or the time for it is over. */
import type { Approval } from "../../approvals/approval.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { recordWaiting } from "../turn-log.ts";
import { askUntil, WAIT_MS } from "./ask-until.ts";

/** @returns the approvals, none of them pending; undefined where `signal` fired, which leaves them as they are. */
export async function holdFor(
  deps: TurnDeps,
  turn: Turn,
  asked: readonly Approval[],
  reply: Pick<Reply, "hold">,
  signal = turn.input.signal,
): Promise<readonly Approval[] | undefined> {
  recordWaiting(turn.log, asked);
  reply.hold("person");
  deps.watch?.holdBegan();
  const ids = asked.map(({ id }) => id);
  try {
    const answered = await askUntil(
      signal,
      "approvals",
      () => deps.guard.approvals.wait(ids, WAIT_MS),
      (told) => told.every(({ status }) => status !== "pending"),
    );
    return answered && inOrder(asked, answered);
  } finally {
    deps.watch?.holdEnded();
  }
}

/** One that is not told any more has ended with its session: deciding it refuses it. */
const inOrder = (asked: readonly Approval[], told: readonly Approval[]): readonly Approval[] =>
  asked.map((one) => told.find(({ id }) => id === one.id) ?? { ...one, status: "cancelled" });
