/**
 * A turn, from the client's request to the end of its reply. Authentication (1) and the policy (2) come before it.
 *
 *  3 detect      a new user message → intents, entities; never on a continuation
 *  4 open        one awaited call to UserGuard returns the facts, while a first model call may run already; then `beforeModel`
 *  5 offer       facts → tools to send, tools withheld with reasons
 *  6 preflight   the offer lacks what an intent requires → stop, before the model is called
 *  7 step        the model: text goes straight to the reply, decisions come back whole; or the system, if the user's wish is certain
 *  8 vet         pure rules, then one call to UserGuard for what must be counted
 *  9 act         select intent | run | release | ask a person | refuse
 * 10 again       from 5, while there is something to report to the model and steps are left
 * 11 completion  the task is ending, and what its intent requires did not succeed → one reminder, then fail
 * 12 record      turn and decisions → outbox → D1, off the reply's path
 *
 * Never throws: a failure of the gateway ends the reply with an error, and nothing is released. What was run is in the ledger.
 */
import type { Reply } from "../ports/reply-port.ts";
import { type Ending, keepsWords } from "../ports/turns/ending.ts";
import { answerWaiting, type Reopen } from "./confirm/answer-waiting.ts";
import { approvalSettledEnding } from "./confirm/decide-answered.ts";
import { deliver, failReply } from "./deliver.ts";
import { clientGone, failedStep, gatewayFailure, limitEnding } from "./failures.ts";
import { offerStep } from "./offer/offer-step.ts";
import { preflight } from "./offer/preflight.ts";
import { isOffer, type SpeculativeStep, type StepContext } from "./offer/step-offer.ts";
import { answerCommand } from "./open/commands.ts";
import { openAgain, openedTurn, prepareOpen, replayedCalls } from "./open/open-turn.ts";
import { recordAndClose } from "./record/record-turn.ts";
import { summaryOf } from "./record/turn-summary.ts";
import { resumeRuns } from "./runs/run-calls.ts";
import { beginSpeculation, endsBeforeModel } from "./speculate/speculative-step.ts";
import { actOnDecisions } from "./step/act-on-decisions.ts";
import { recordedStep } from "./step/hosted-calls.ts";
import { vetStep } from "./step/vet-step.ts";
import { annotateSystemCall, systemStep } from "./system-first/system-first.ts";
import { stateOf, type Turn, type TurnInput } from "./turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { updateLog } from "./turn-log.ts";
import { undoLast } from "./undo/undo-command.ts";

export async function runTurn(deps: TurnDeps, input: TurnInput, reply: Reply): Promise<void> {
  let speculation: SpeculativeStep | undefined;
  try {
    const prepared = await prepareOpen(deps, input);
    const answer = deps.guard.turns.open(prepared.request);
    speculation = beginSpeculation(deps, prepared, reply);
    const opened = openedTurn(prepared, await answer, deps.now());
    if (endsBeforeModel(opened)) speculation?.abort();
    deps.observer?.opened(() => summaryOf(opened));
    reply.opened({ turn: input.id, session: opened.sessionId, state: stateOf(opened), intents: opened.log.intents });
    const { turn, ending } = await decideTurn({ deps, reply, speculation }, opened);
    speculation?.abort();
    if (speculation && speculation.outcome !== "kept") updateLog(turn.log, { redone: true });
    const { ended, giveBack } = await deliver(deps, turn, ending, reply);
    await turn.log.pendingRecord;
    await recordAndClose(deps, turn, ended, giveBack);
    deps.observer?.ended(ended);
  } catch (error) {
    speculation?.abort();
    const ending = gatewayFailure(error, input.id);
    await failReply(reply, ending, input.id);
    deps.observer?.replied(undefined);
    deps.observer?.ended(ending);
  }
}

/** From the open to the ending. @returns the turn too, because it may have been opened again. */
async function decideTurn(context: StepContext, opened: Turn): Promise<{ turn: Turn; ending: Ending }> {
  const { deps, reply } = context;
  let turn = opened;
  try {
    let found = await beforeModel(deps, turn, reply);
    const again = found?.kind === "reopen" ? await openAgain(deps, turn) : undefined;
    if (again) {
      turn = again;
      deps.observer?.opened(() => summaryOf(again));
      found = await beforeModel(deps, turn, reply);
    }
    let ending = found?.kind === "reopen" ? approvalSettledEnding : found;
    while (!ending) ending = await runStep(context, turn);
    return { turn, ending: turn.input.signal.aborted ? clientGone : ending };
  } catch (error) {
    return { turn, ending: gatewayFailure(error, turn.input.id) };
  }
}

/** The first of these that ends the turn does so without the model; the others may change what the model gets. The order matters. */
async function beforeModel(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | Reopen | undefined> {
  return (
    // limit: UserGuard refused the open, because the user has too many turns open. There are no facts for what follows.
    limitEnding(turn) ??
    // command: the user wrote to the gateway itself. Nothing is run or released for that.
    answerCommand(turn, deps.now()) ??
    // resume: the same request again. The turn goes on from the managed calls of its earlier try, which replay stores and answers report.
    (await resumeRuns(deps, turn, reply)) ??
    // replay: the same request again gets the calls that it got before. That comes before answers, which are acted on once.
    replayedCalls(turn) ??
    // answer: calls that wait for a person. The answered ones are released or run, an undo that waits among them.
    (await answerWaiting(deps, turn, reply)) ??
    // undo: `/toolgate undo` decides a new call. It is last, because an undo that already waits is answered instead.
    (await undoLast(deps, turn, reply))
  );
}

/** Steps 5 to 11. @returns undefined to go on with another step. */
async function runStep(context: StepContext, turn: Turn): Promise<Ending | undefined> {
  const { deps, reply, speculation } = context;
  const offer = offerStep(turn, deps.now(), speculation?.expected);
  if (!isOffer(offer)) return offer;
  const unreachable = preflight(turn, offer);
  if (unreachable) return unreachable;
  const own = systemStep(deps, turn, offer);
  const result = own ?? (await recordedStep(context, turn, offer));
  if (result.kind !== "ended") return failedStep(deps, turn, result);
  const vetted = await vetStep(deps, turn, offer, result.calls, own && annotateSystemCall);
  deps.observer?.stepDecided();
  const ending = await actOnDecisions(deps, turn, reply, result, offer, vetted);
  if (!own) reply.stepEnded(keepsWords(ending), result.text !== "");
  return ending;
}
