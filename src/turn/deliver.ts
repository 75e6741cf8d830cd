/** Ends the reply with the turn's ending and finds out whether the client can have received it. */
import { describeError, log } from "../lib/log.ts";
import type { Reply } from "../ports/reply-port.ts";
import { callsComeBack, type Ending } from "../ports/turns/ending.ts";
import { clientGone, gatewayFailure } from "./failures.ts";
import { saveHidden } from "./record/record-turn.ts";
import { noteOf, usageOf } from "./record/reply-note.ts";
import type { Turn } from "./turn.ts";
import type { TurnDeps } from "./turn-deps.ts";

interface Delivery {
  /** How the turn ended, as far as the client can know. */
  readonly ended: Ending;
  /** Whether it is certain that no call reached the client: the uses of the calls are then given back. */
  readonly giveBack: boolean;
}

export async function deliver(deps: TurnDeps, turn: Turn, ending: Ending, reply: Reply): Promise<Delivery> {
  let begun = false;
  try {
    if (turn.log.exchangesToStore.length > 0 && (callsComeBack(ending) || answerWasConsumed(turn, ending)))
      await saveHidden(deps, turn);
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
    deps.observer?.replied(reply.firstByteAt);
  }
}

/**
 * Whether the turn failed after it acted on a person's answer. An answer is acted on once: the same request, sent again, must find
 * the outcome.
 */
const answerWasConsumed = ({ log: { decisions } }: Turn, { kind }: Ending): boolean =>
  kind === "error" && decisions.some(({ approval, effect }) => approval !== undefined && effect !== "confirm");

/** Ends a failed reply with an error, so that it never hangs. Never throws. */
export async function failReply(reply: Reply, failure: Ending, turn: string): Promise<void> {
  try {
    await reply.finish(failure, {}, undefined);
  } catch (error) {
    log("error", "reply_not_ended", { turn, ...describeError(error) });
  }
}
