/**
 * A turn, from the client's request to the end of its reply. Authentication (1) and the policy (2) come before it.
 *
 *  3 detect      a new user message → intents, entities; never on a continuation
 *  4 open        one awaited call to UserGuard answers with the facts; the model may be called beside it, with those that are expected
 *    refuse      the user has too many turns open
 *    command     the user wrote to the gateway itself
 *    resume      the same request again: the turn goes on from the managed calls that its earlier try made
 *    replay      the same request again: the calls that it got are released again
 *    answer      calls that wait for a person: those that were answered are released or run
 *    undo        `/toolgate undo` takes back the last call that can be undone
 *  5 offer       facts → tools to send, tools withheld with reasons
 *  6 preflight   the offer lacks what an intent requires → stop, before the model is called
 *  7 step        the model: words go straight to the reply, decisions come back whole. Or the system, where the user's wish
 *                is certain: then the model is called afterwards, to word the result
 *  8 vet         pure rules, then one call to UserGuard for what must be counted
 *  9 act         select intent | run | release | ask a person | refuse
 * 10 again       from 5, while there is something to tell the model and steps are left
 * 11 completion  the task is ending, and what its intent requires did not succeed → one reminder, then fail
 * 12 record      turn and decisions → outbox → D1, off the reply's path
 *
 * Never throws: a failure of ours ends the reply with an error, and nothing is released. What was run is in the ledger.
 */

import { describeError, log } from "../lib/log.ts";
import type { Reply } from "../ports/reply-port.ts";
import { callsComeBack, type Ending, keepsWords } from "../ports/turns/ending.ts";
import { answerWaiting } from "./confirm/answer-waiting.ts";
import { answeredElsewhere } from "./confirm/decide-answered.ts";
import { clientGone, failedStep, gatewayFailure, limitEnding } from "./failures.ts";
import { offerStep } from "./offer/offer-step.ts";
import { preflight } from "./offer/preflight.ts";
import { isOffer, type SpeculativeStep, type StepContext } from "./offer/step-offer.ts";
import { answerCommand } from "./open/commands.ts";
import { openAgain, openedTurn, prepareOpen, replayedCalls } from "./open/open-turn.ts";
import { recordAndClose, saveHidden } from "./record/record-turn.ts";
import { noteOf, usageOf } from "./record/reply-note.ts";
import { summaryOf } from "./record/turn-summary.ts";
import { resumeRuns } from "./runs/run-calls.ts";
import { beginSpeculation, endsBeforeModel } from "./speculate/speculative-step.ts";
import { actOnDecisions } from "./step/act-on-decisions.ts";
import { recordedStep } from "./step/hosted-calls.ts";
import { vetStep } from "./step/vet-step.ts";
import { annotateSystemCall, systemStep } from "./system-first/system-first.ts";
import { stateOf, type Turn, type TurnInput } from "./turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { recordDiscardedSpeculation } from "./turn-log.ts";
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
    if (speculation && speculation.outcome !== "kept") recordDiscardedSpeculation(turn.log);
    await finishTurn(deps, turn, ending, reply);
  } catch (error) {
    speculation?.abort();
    // Whatever failed, the client gets an end: a reply never hangs.
    const ending = gatewayFailure(error, input.id);
    await failReply(reply, ending, input.id);
    deps.observer?.replied(undefined);
    deps.observer?.ended(ending);
  }
}

interface DecidedTurn {
  readonly turn: Turn;
  readonly ending: Ending;
}

/** All that lies between the open and the record. */
async function decideTurn(context: StepContext, opened: Turn): Promise<DecidedTurn> {
  const { deps, reply } = context;
  let turn = opened;
  try {
    let ending = await beforeModel(deps, turn, reply);
    const again = ending === answeredElsewhere ? await openAgain(deps, turn) : undefined;
    if (again) {
      turn = again;
      deps.observer?.opened(() => summaryOf(again));
      ending = await beforeModel(deps, turn, reply);
    }
    while (!ending) ending = await runStep(context, turn);
    return { turn, ending: turn.input.signal.aborted ? clientGone : ending };
  } catch (error) {
    return { turn, ending: gatewayFailure(error, turn.input.id) };
  }
}

/** What ends the turn without the model, or changes what the model gets. */
async function beforeModel(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | undefined> {
  return (
    limitEnding(turn) ??
    answerCommand(turn, deps.now()) ??
    (await resumeRuns(deps, turn, reply)) ??
    replayedCalls(turn) ??
    (await answerWaiting(deps, turn, reply)) ??
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

/** Calls that did not reach the client are given back with the record, and the turn is recorded as aborted. */
async function finishTurn(deps: TurnDeps, turn: Turn, ending: Ending, reply: Reply): Promise<void> {
  const { ended, giveBack } = await deliver(deps, turn, ending, reply);
  await turn.log.pendingRecord;
  await recordAndClose(deps, turn, ended, giveBack);
  deps.observer?.ended(ended);
}

/** Ends a failed reply with an error, so that it never hangs. Never throws. */
async function failReply(reply: Reply, failure: Ending, turn: string): Promise<void> {
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

/** What a person answered is acted on once: the same request, sent again because this one failed, must find what came of it. */
const isUsedUp = ({ log: { decisions } }: Turn, { kind }: Ending): boolean =>
  kind === "error" && decisions.some(({ approval, effect }) => approval !== undefined && effect !== "confirm");
