/** Steps 9 to 11 of a turn: acts on a step's decisions. Changes the turn; returns its ending, or undefined to go on. */

import type { Approval } from "../../approvals/approval.ts";
import { fillWords } from "../../approvals/words/words.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import {
  checkCompletion,
  mayRemind,
  reminderForModel,
  type UnmetRequirement,
} from "../../policy/intent-guard/unmet.ts";
import { observesAll } from "../../policy/observe.ts";
import { isUnrequested, type Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { DroppedCalls } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import { type EndedStep, type Ending, stopEnding } from "../../ports/turns/ending.ts";
import {
  approvalSettledEnding,
  decideAnswered,
  refuseRepeats,
  toAnsweredApprovals,
  wasSettledElsewhere,
} from "../confirm/decide-answered.ts";
import { holdFor } from "../confirm/hold.ts";
import { askPeople, asksOnlyInData } from "../confirm/question.ts";
import { clientGone } from "../failures.ts";
import { exchangeFor } from "../history/hidden-history.ts";
import { guidanceFor, refusedByCondition, refusedByLimit } from "../offer/guidance.ts";
import { unmetEnding } from "../offer/preflight.ts";
import { knownSentence, notesOf } from "../offer/reason-sentences.ts";
import { closedByWords } from "../offer/requested-acts.ts";
import type { StepOffer } from "../offer/step-offer.ts";
import { releaseCalls, runCalls } from "../runs/run-calls.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordDecisions, recordHidden, recordReminder, updateLog } from "../turn-log.ts";
import { disorderNotes, holdSelection, recordDisorder, type VettedStep } from "./vet-step.ts";
import { decisionNote, isReleased, type VettedCall } from "./vetted-call.ts";

export async function actOnDecisions(
  deps: TurnDeps,
  turn: Turn,
  reply: Reply,
  step: EndedStep,
  offer: StepOffer,
  vetted: VettedStep,
): Promise<Ending | undefined> {
  recordDecisions(turn.log, vetted.calls.map(decisionNote));
  if (step.dropped) return endTruncated(deps, turn, step, step.dropped);
  if (vetted.calls.length === 0) return addGuidance(turn, offer, endTask(turn, step, offer));
  if (vetted.selected !== undefined) holdSelection(turn, vetted.selected);
  // An allowed call does not wait for a person, because its deadline in the ledger is running.
  const ran = await runCalls(deps, turn, reply, vetted.calls);
  if (!ran.ok) return ran.error;
  const answered = await askWhereHeld(deps, turn, reply, ran.value);
  if (!answered.ok) return answered.error;
  const calls = answered.value;

  const released = calls.filter(isReleased);
  const asDataOnly = asksOnlyInData(turn);
  const approvals = calls.flatMap(({ approval }) => approval ?? []);
  const toAsk = asDataOnly ? [] : approvals;
  const hidden = calls.filter((call) => !isReleased(call) && (asDataOnly || !call.approval));
  updateLog(turn.log, { waiting: asDataOnly ? [...turn.log.waiting, ...approvals] : approvals });
  if (asDataOnly)
    for (const { approval, reasons } of calls)
      if (approval && reasons[0]) refuseRepeats(deps, turn, approval, reasons[0]);
  // With released or asked calls the model's text goes to the client, and comes back in its own message.
  const words = released.length > 0 || toAsk.length > 0 ? "" : step.text;
  const noTools = turn.log.wordsOnly || (offer.offer.callable.size === 0 && !offer.offer.handshake);
  if (hidden.length > 0)
    recordHidden(turn.log, exchangeFor(turn, hidden, { words, reasoning: step.reasoning, noTools }));
  if (released.length > 0) return releaseCalls(turn, step, released, refusedByLimit(turn, hidden));
  if (toAsk.length > 0) return askPeople(turn, toAsk, deps.now(), { words: step.text });
  return addGuidance(turn, offer, continueTurn(turn, hidden));
}

/** Adds guidance to a reply that ends the task without what the user seems to want: why, and what to write. Changes the turn. */
function addGuidance(turn: Turn, { offer }: StepOffer, ending: Ending | undefined): Ending | undefined {
  if (observesAll(turn.input.policy)) return ending;
  const isAnswer = ending?.kind === "answer" && ending.calls.length === 0;
  const isBlocked = ending?.kind === "stop" && ending.stopReason === "tool_policy_blocked";
  const missing = isAnswer || isBlocked ? guidanceFor(turn, offer, isAnswer) : undefined;
  const words = missing ?? (isAnswer ? refusedByCondition(turn) : undefined);
  if (!ending || words === undefined) return ending;
  if (missing !== undefined && closedByWords(turn, offer) !== undefined) updateLog(turn.log, { isMisheard: true });
  if (ending.kind === "stop") return { ...ending, text: `${ending.text}\n${words}` };
  updateLog(turn.log, { text: turn.log.text === "" ? words : `${turn.log.text}\n\n${words}` });
  return { ...ending, lines: words } as Ending;
}

/**
 * If the reply is held and nothing else is to be released first, waits for the answers. @returns the calls with the outcomes of those that
 * were asked about; managed ones are run.
 */
async function askWhereHeld(
  deps: TurnDeps,
  turn: Turn,
  reply: Reply,
  calls: readonly VettedCall[],
): Promise<Result<readonly VettedCall[], Ending>> {
  const toAsk = calls.flatMap(({ approval }) => approval ?? []);
  if (turn.input.channel !== "hold" || toAsk.length === 0 || calls.some(isReleased)) return ok(calls);
  const answered = await holdFor(deps, turn, toAsk, reply);
  if (!answered) return err(clientGone);
  const decided = await decideAnswered(deps, turn, toAnsweredApprovals(answered));
  const outcome = new Map<Approval, VettedCall | undefined>(toAsk.map((approval, index) => [approval, decided[index]]));
  const replaced = calls.map((call) => (call.approval && outcome.get(call.approval)) ?? call);
  return wasSettledElsewhere(replaced) ? err(approvalSettledEnding) : runCalls(deps, turn, reply, replaced);
}

/** Goes on with another step, unless the corrections or the steps are used up. */
function continueTurn(turn: Turn, hidden: readonly VettedCall[]): Ending | undefined {
  const { maxCorrections, maxSteps } = turn.input.policy.execution;
  // A person's refusal does not correct the model, and neither does a refusal of the system's call.
  const refused = hidden.filter(
    ({ effect, answered, madeBy, observed }) => effect !== "allow" && !answered && !madeBy && !observed,
  );
  if (refused.length > 0) updateLog(turn.log, { corrections: turn.log.corrections + 1 });
  if (refused.length > 0 && turn.log.corrections > maxCorrections)
    return stopEnding("tool_policy_blocked", blockedText(turn, refused));
  if (turn.log.steps < maxSteps) return undefined;
  const text = fillWords(notesOf(turn).stopped.steps, { max: String(maxSteps) });
  return { ...stopEnding("step_limit", text), finishReason: "length" };
}

/** What the user can do about it, if that is known; else that the model went its own way. */
function blockedText(turn: Turn, refused: readonly VettedCall[]): string {
  const { stopped } = notesOf(turn);
  const lines = refused.flatMap(({ reasons }) => reasons.flatMap((reason) => knownSentence(turn, reason) ?? []));
  if (lines.length > 0) return [stopped.forbidden, ...new Set(lines.map((line) => `- ${line}`))].join("\n");
  return refused.every(({ reasons }) => reasons.some(isUnrequested)) ? stopped.unasked : stopped.forbidden;
}

/** The provider cut its answer: its calls are refused, and its text is kept. A model without room left is not reminded. */
function endTruncated(deps: TurnDeps, turn: Turn, step: EndedStep, dropped: DroppedCalls): Ending {
  recordDecisions(turn.log, disorderNotes(dropped));
  updateLog(turn.log, { pendingRecord: recordDisorder(deps, turn, dropped) });
  const unmet = unmetOf(turn);
  if (!unmet) return { kind: "answer", stopReason: "completed", step, calls: [] };
  return { ...unmetEnding(turn, unmet, "completion"), finishReason: "length", words: step.text };
}

const unmetOf = ({ input: { policy }, log: { intents, succeeded } }: Turn): UnmetRequirement | undefined =>
  observesAll(policy) ? undefined : checkCompletion(policy, intents, succeeded);

function endTask(turn: Turn, step: EndedStep, offer: StepOffer): Ending | undefined {
  const unmet = unmetOf(turn);
  if (!unmet) return { kind: "answer", stopReason: "completed", step, calls: [] };
  if (isWorthReminding(turn, unmet, offer)) return remind(turn, step, unmet);
  return unmetEnding(turn, unmet, "completion");
}

/** Once per task, and only if the model has a tool that helps. */
function isWorthReminding(
  { input, log: { reminded, steps, decisions } }: Turn,
  unmet: UnmetRequirement,
  { offer }: StepOffer,
): boolean {
  const { policy } = input;
  if (reminded || steps >= policy.execution.maxSteps || !mayRemind(policy, unmet)) return false;
  const helps = (name: string) => unmet.families.some((family) => traitsOf(policy, name).families.has(family));
  // The person would get a second question about what they have just refused.
  const refused = decisions.some(({ tool, reasons }) => helps(tool) && reasons.some(isPersonsNo));
  if (refused) return false;
  return [...offer.callable].some(helps);
}

const isPersonsNo = ({ code }: Reason): boolean => code === "approval_denied";

/** The model sees its answer, and why the task is not done. The client gets none of this. */
function remind(turn: Turn, { text }: EndedStep, unmet: UnmetRequirement): undefined {
  const answered = text === "" ? [] : [{ role: "assistant", content: text }];
  // Not a system message: many providers take none in the middle of a conversation.
  recordReminder(turn.log, [...answered, { role: "user", content: reminderForModel(unmet) }]);
}
