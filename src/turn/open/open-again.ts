/**
 * The same answer came in two requests at once, and the other one acted on it: this one goes on as it would if it were sent again,
 * with what came of the other. Nothing was done in it that it has to keep.
 */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { openTurn } from "./open-turn.ts";

/** @returns the turn anew; undefined where there is no such other, the conversation has gone on, or UserGuard is out of reach. */
export async function openAgain(deps: TurnDeps, turn: Turn): Promise<Turn | undefined> {
  try {
    const now = await openTurn(deps, turn.input, true);
    // Another answer, or the same in other words, is a message of its own.
    return now.opened.again ? now : undefined;
  } catch (error) {
    log("warn", "turn_not_opened_again", { turn: turn.input.id, ...describeError(error) });
    return undefined;
  }
}
