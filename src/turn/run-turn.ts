/**
 * A turn, from the client's request to the end of its reply. Authentication (1) and the policy (2) come before it.
 *
 *  3 detect      a new user message → intents, entities; never on a continuation
 *  4 open        one awaited call to UserGuard answers with the facts
 *    answer      calls that wait for a person: what was answered is released or run, before any call of the model; so is an
 *                undo. The same request again goes on from the managed calls that it has made already
 *  5 preflight   what an intent cannot do without is out of reach → stop (asked of the offer: 6 tells what is in reach)
 *  6 offer       facts → tools to send, tools withheld with reasons
 *  7 step        the model: words go straight to the reply, decisions come back whole. Or the system, where what the user wants
 *                is certain: then the model is called afterwards, to word what came of it
 *  8 vet         pure rules, then one call to UserGuard for what must be counted
 *  9 act         select intent | run | release | ask a person | refuse
 * 10 again       from 6, while there is something to tell the model and steps are left
 * 11 completion  the task is ending, and what its intent requires did not succeed → one reminder, then fail
 * 12 record      turn and decisions → outbox → D1, off the reply's path
 *
 * Never throws: a failure of ours ends the reply with an error, and nothing is released. What was run is in the ledger.
 */

import type { Reply } from "../ports/reply-port.ts";
import { ceilingEnding } from "./ceilings.ts";
import { answerWaiting } from "./confirm/answer-waiting.ts";
import { settledElsewhere } from "./confirm/settle-approvals.ts";
import { type Ending, keepsWords } from "./ending.ts";
import { clientGone, failedStep, gatewayFailure } from "./failures.ts";
import { failReply, finishTurn } from "./finish-turn.ts";
import { isOffer, offerStep } from "./offer/offer-step.ts";
import { preflight } from "./offer/preflight.ts";
import { answerCommand } from "./open/commands.ts";
import { openAgain } from "./open/open-again.ts";
import { openTurn, replayedCalls } from "./open/open-turn.ts";
import { noteOutcome } from "./record/record-turn.ts";
import { resumeRuns } from "./runs/resume-runs.ts";
import { act } from "./step/act.ts";
import { modelStep } from "./step/model-step.ts";
import { vetStep } from "./step/vet-step.ts";
import { bySystem, systemStep } from "./system-first/system-first.ts";
import { stateOf, type Turn, type TurnDeps, type TurnInput } from "./turn.ts";
import { asksToUndo, undoLast } from "./undo/undo-command.ts";

export async function runTurn(deps: TurnDeps, input: TurnInput, reply: Reply): Promise<void> {
  try {
    const turn = await openTurn(deps, input);
    deps.watch?.opened(turn);
    reply.opened({ turn: input.id, session: turn.sessionId, state: stateOf(turn), intents: turn.intents });
    const ending = await decideTurn(deps, turn, reply);
    await finishTurn(deps, turn, ending, reply);
  } catch (error) {
    // Whatever it was, the client hears of it: a reply never hangs.
    const ending = gatewayFailure(error, input.id);
    await failReply(reply, ending, input.id);
    deps.watch?.replied(undefined);
    deps.watch?.ended(ending);
  }
}

/** Steps 5 to 11, until there is an ending; before them, what is no task of the model's. */
async function decideTurn(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending> {
  try {
    let ending = ceilingEnding(turn) ?? answerCommand(turn, deps.now()) ?? (await answerTurn(deps, turn, reply));
    if (ending === settledElsewhere && (await openAgain(deps, turn))) ending = await answerTurn(deps, turn, reply);
    if (!ending && asksToUndo(turn)) ending = await undoLast(deps, turn, reply);
    while (!ending) ending = await runStep(deps, turn, reply);
    return turn.input.signal.aborted ? clientGone : ending;
  } catch (error) {
    return gatewayFailure(error, turn.input.id);
  }
}

async function answerTurn(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | undefined> {
  const resumed = turn.opened.runs ? await resumeRuns(deps, turn, reply) : undefined;
  return resumed ?? replayedCalls(turn) ?? (await answerWaiting(deps, turn, reply));
}

async function runStep(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | undefined> {
  const offer = offerStep(turn, deps.now());
  if (!isOffer(offer)) return offer;
  const unreachable = preflight(turn, offer);
  if (unreachable) return unreachable;
  const own = turn.systemDue ? systemStep(deps, turn, offer) : undefined;
  const outcome = own ?? (await modelStep(deps, turn, reply, offer));
  if (outcome.kind !== "ended") return failedStep(deps, turn, outcome);
  noteOutcome(turn, outcome);
  const vetted = await vetStep(deps, turn, offer, outcome.calls, own && bySystem);
  deps.watch?.stepDecided();
  const ending = await act(deps, turn, reply, outcome, offer, vetted);
  if (!own) reply.stepEnded(keepsWords(ending), outcome.text !== "");
  return ending;
}
