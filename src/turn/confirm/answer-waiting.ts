/**
 * Acts on calls that wait for a person, before the model is called: answered calls are released or run, the others are asked about again.
 * The model is called only if nothing is released and nothing waits any more; it then gets the refusals, and the outcomes of the approved
 * managed calls.
 */

import { beginningOfMessage } from "../../approvals/answers/answer-in-message.ts";
import type { Approval } from "../../approvals/approval.ts";
import { namedAct } from "../../approvals/disclosure/named-act.ts";
import { fillWords, wordsOf } from "../../approvals/words/words.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { StoredRun } from "../../ports/calls-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { clientGone } from "../failures.ts";
import { exchangeFor } from "../history/hidden-history.ts";
import { releaseCalls, runCalls } from "../runs/run-calls.ts";
import { ranLines, sendNotice } from "../runs/unconfirmed-lines.ts";
import { isReleased, type VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordHidden, recordToStore, updateLog } from "../turn-log.ts";
import { undoneEnding } from "../undo/undo.ts";
import {
  type AnsweredApproval,
  currentOffer,
  decideAnswered,
  toAnsweredApprovals,
  waitingCall,
  wasSettledElsewhere,
} from "./decide-answered.ts";
import { holdFor } from "./hold.ts";
import { askPeople } from "./question.ts";
import { readAnswers, unknownApprovals, wasRun } from "./read-answers.ts";

/** Another request acted on the answers first: the turn is opened again, to find the outcome. */
export interface Reopen {
  readonly kind: "reopen";
}

export async function answerWaiting(deps: TurnDeps, turn: Turn, reply: Reply): Promise<Ending | Reopen | undefined> {
  const { waiting = [], cancelled = [], unknownApprovals: unknown = [] } = turn.opened;
  if (unknown.length > 0) return unknownApprovals(unknown);
  if (cancelled.length > 0) recordCancelled(turn, cancelled);
  if (waiting.length === 0) return undefined;
  const now = deps.now();
  const read = readAnswers(turn, currentOffer(turn, now), waiting, now);
  if (!read.ok) return read.error;
  // An earlier try acted on the refusal, and the client did not receive the reply: the model gets the refusal again.
  const refusedBefore = waiting.filter((approval) => approval.usedBy !== null && !wasRun(turn, approval));
  if (refusedBefore.length > 0) recordHidden(turn.log, exchangeFor(turn, refusedBefore.map(refusedCall)));
  const ending = await actOn(deps, turn, read.value, reply);
  if (ending || turn.log.waiting.length === 0) return ending;
  if (turn.input.channel !== "hold") return askPeople(turn, turn.log.waiting, now, { notice: ranLines(turn) });
  const answered = await holdFor(deps, turn, turn.log.waiting, reply);
  if (!answered) return clientGone;
  return actOn(deps, turn, toAnsweredApprovals(answered), reply);
}

/** @returns an ending if something is released, or if only undo calls were answered; `reopen` if another request acted first. */
async function actOn(
  deps: TurnDeps,
  turn: Turn,
  answered: readonly AnsweredApproval[],
  reply: Reply,
): Promise<Ending | Reopen | undefined> {
  if (answered.length === 0) return undefined;
  const decided = await decideAnswered(deps, turn, answered);
  if (wasSettledElsewhere(decided)) return { kind: "reopen" };
  reportElsewhere(turn, reply, decided, answered);
  const ran = await runCalls(deps, turn, reply, decided);
  if (!ran.ok) return ran.error;
  const calls = ran.value;
  recordAnswered(turn, new Map(calls.map((call, index) => [call, answered[index]?.approval.code ?? ""])));
  const released = calls.filter(isReleased);
  if (released.length > 0) return releaseCalls(turn, undefined, released);
  return turn.log.waiting.length > 0 ? undefined : undoneByRuns(deps, turn, calls, answered);
}

/** Tells a user who writes in the chat what was decided elsewhere: that a call goes out now, or was refused. Changes the turn. */
function reportElsewhere(
  turn: Turn,
  reply: Reply,
  decided: readonly VettedCall[],
  answered: readonly AnsweredApproval[],
): void {
  if (!turn.answer || turn.input.request.jsonMode) return;
  const { frame, notes } = wordsOf(answered[0]?.approval.disclosure.language ?? "en");
  const lines = (
    [
      [frame.goesOut, "approved", "allow"],
      [notes.elsewhere.refused, "denied", "deny"],
    ] as const
  ).flatMap(([text, status, effect]) => {
    const actions = decided.flatMap((call, index) => {
      const { approval, answer, refusal } = answered[index] as AnsweredApproval;
      const isElsewhere = !answer && !refusal && approval.status === status && call.effect === effect;
      return isElsewhere ? [namedAct(approval)] : [];
    });
    return actions.length === 0 ? [] : [fillWords(text, { actions: [...new Set(actions)].join(", ") })];
  });
  if (lines.length === 0) return;
  updateLog(turn.log, { notice: lines.join("  \n") });
  sendNotice(turn, reply);
}

/** If every answered call was an undo, it is reported without the model. */
async function undoneByRuns(
  { guard }: TurnDeps,
  turn: Turn,
  calls: readonly VettedCall[],
  answered: readonly AnsweredApproval[],
): Promise<Ending | undefined> {
  const undone: { done: string; ran: StoredRun }[] = [];
  for (const [index, { storedRun }] of calls.entries()) {
    const of = answered[index]?.approval.undoes;
    if (!storedRun || of === undefined) return undefined;
    undone.push({ done: (await guard.calls.find(of))?.tool ?? of, ran: storedRun });
  }
  return undoneEnding(turn, undone);
}

/**
 * Records refusals next to the question's message, if the user's answer follows one. Outcomes of runs come at the end, as if the model had
 * called after the answer: a *yes* at the end would read as an answer to the next question.
 */
function recordAnswered(turn: Turn, codes: ReadonlyMap<VettedCall, string>): void {
  const hidden = [...codes].filter(([call]) => !isReleased(call));
  const isFramed = ([{ storedRun }, code]: readonly [VettedCall, string]) =>
    !storedRun && turn.answer?.codes.includes(code) === true;
  const framed = hidden.filter(isFramed);
  const others = hidden.filter((one) => !isFramed(one)).map(([call]) => call);
  if (others.length > 0) recordHidden(turn.log, exchangeFor(turn, others));
  if (framed.length === 0) return;
  const [refused, refusedCodes] = [framed.map(([call]) => call), framed.map(([, code]) => code)];
  const anchor = { kind: "refusals", codes: refusedCodes } as const;
  recordToStore(turn.log, { anchor, messages: exchangeFor(turn, refused) });
}

/** Pending questions were dropped because the user moved on: the model learns that these calls were not made. */
function recordCancelled(turn: Turn, cancelled: readonly Approval[]): void {
  const codes = cancelled.map(({ code }) => code);
  recordToStore(turn.log, {
    anchor: { kind: "refusals", codes },
    messages: exchangeFor(turn, cancelled.map(refusedCall), { noTools: false }),
  });
  if (turn.input.request.jsonMode) return;
  const inChat = cancelled.filter(({ channel }) => channel === "inline");
  const { frame } = wordsOf(inChat[0]?.disclosure.language ?? "en");
  const beginning = beginningOfMessage(turn.input.conversation.newMessage ?? "");
  const cancelledText = beginning === "no" ? frame.refused : beginning === "changes" ? frame.changed : frame.cancelled;
  const notice = (["cancelled", "expired"] as const)
    .flatMap((status) => {
      const actions = new Set(inChat.filter((one) => one.status === status).map(namedAct));
      const text = status === "cancelled" ? cancelledText : frame.expired;
      return actions.size === 0 ? [] : [fillWords(text, { actions: [...actions].join(", ") })];
    })
    .join("  \n");
  updateLog(turn.log, { notice });
}

function refusedCall(approval: Approval): VettedCall {
  const { tool, status, answer, madeBy } = approval;
  const reason: Reason =
    status === "denied"
      ? { code: "approval_denied", tool, reason: answer?.reason ?? null }
      : { code: status === "expired" ? "approval_expired" : "approval_cancelled", tool };
  const refused = { effect: "deny" as const, reasons: [reason], ordinal: undefined, handshake: false };
  return { modelCall: waitingCall(approval), vettedArguments: approval.arguments, ...refused, madeBy };
}
