/**
 * The end of a turn: its reply, then its record (step 12). Hidden exchanges must be there before the request that brings the
 * released calls' results; the record waits for how the reply went. Never throws.
 */
import { describeError, log } from "../lib/log.ts";
import type { Reply } from "../ports/reply-port.ts";
import { callsComeBack, type Ending } from "./ending.ts";
import { clientGone, gatewayFailure } from "./failures.ts";
import { closeTurn, keepHidden, noteOf, usageOf } from "./record/record-turn.ts";
import type { Turn, TurnDeps } from "./turn.ts";

/** Calls that did not reach the client are given back with the record, and the turn is recorded as aborted. */
export async function finishTurn(deps: TurnDeps, turn: Turn, ending: Ending, reply: Reply): Promise<void> {
  const { ended, giveBack } = await deliver(deps, turn, ending, reply);
  await turn.log.pendingRecord;
  await closeTurn(deps, turn, ended, giveBack);
  deps.watch?.ended(ended);
}

/** Ends a failed reply with an error, so that it never hangs. Never throws. */
export async function failReply(reply: Reply, failure: Ending, turn: string): Promise<void> {
  try {
    await reply.finish(failure, {}, undefined);
  } catch (error) {
    log("error", "reply_not_ended", { turn, ...describeError(error) });
  }
}

interface Delivered {
  /** How the turn ended, as far as the client can know. */
  readonly ended: Ending;
  /** Whether it is certain that no call reached the client. */
  readonly giveBack: boolean;
}

async function deliver(deps: TurnDeps, turn: Turn, ending: Ending, reply: Reply): Promise<Delivered> {
  let begun = false;
  try {
    if (turn.log.exchangesToStore.length > 0 && (callsComeBack(ending) || isUsedUp(turn, ending)))
      await keepHidden(deps, turn);
    begun = true;
    const reached = await reply.finish(ending, noteOf(turn, ending), usageOf(turn, ending));
    const ended = reached || ending.kind === "error" ? ending : clientGone;
    return { ended, giveBack: ended.kind === "error" };
  } catch (error) {
    const failure = gatewayFailure(error, turn.input.id);
    await failReply(reply, failure, turn.input.id);
    // The client may hold the calls of a body that has begun: their uses stay spent, and their results settle them.
    return { ended: failure, giveBack: !(begun && reply.firstByteAt !== undefined) };
  } finally {
    deps.watch?.replied(reply.firstByteAt);
  }
}

/** What a person answered is acted on once: the same request, sent again because this one failed, must find what came of it. */
const isUsedUp = ({ log: { decisions } }: Turn, { kind }: Ending): boolean =>
  kind === "error" && decisions.some(({ approval, effect }) => approval !== undefined && effect !== "confirm");
