/**
 * Decides calls that have waited for a person: they are vetted again by the current rules, then decided together. An answer from days ago,
 * or from a user whose role has changed since, releases nothing that would not be released today.
 */
import type { Answer, Approval } from "../../approvals/approval.ts";
import { callDigest } from "../../approvals/call-digest.ts";
import { shownConditions } from "../../approvals/edit/check-edit.ts";
import { withoutSystem } from "../../policy/arguments/system-arguments.ts";
import { offerTools } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { denied, type PureDecision, riskProfileOf, vetCall } from "../../policy/vet.ts";
import type { CallToDecide } from "../../ports/turns/decide-request.ts";
import { type Ending, requestFault } from "../../ports/turns/ending.ts";
import { type ModelCall, vendorMembers } from "../../wire/call-parts.ts";
import type { CurrentOffer } from "../call/complete-call.ts";
import { factsOf, offerFor } from "../offer/offer-step.ts";
import type { Arguments } from "../step/read-arguments.ts";
import { callKey, callToDecide, decideCalls } from "../step/vet-step.ts";
import { decisionNote, type VettedCall, vettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordDecisions, updateLog } from "../turn-log.ts";
import { undoOffer } from "../undo/undo.ts";

export interface AnsweredApproval {
  readonly approval: Approval;
  /** The answer in this request. Absent: it was answered elsewhere, or too late. */
  readonly answer?: Answer | undefined;
  /** Why it is refused whatever was answered elsewhere: the person has changed their mind since. */
  readonly refusal?: Reason | undefined;
}

/** For approvals that were answered while the reply was held, or elsewhere. */
export const toAnsweredApprovals = (approvals: readonly Approval[]): readonly AnsweredApproval[] =>
  approvals.map((approval) => ({ approval }));

/**
 * Two requests waited for the same answers, and the other one acted on them first. The same request, sent again, gets the outcome:
 * the released calls are released again.
 */
export const approvalSettledEnding: Ending = requestFault(
  409,
  "what waited was settled by another request meanwhile: send this one again to hear what came of it",
  "approval_settled",
  null,
);

/** Whether another request acted on these approvals first, and none of the calls was allowed here. */
export const wasSettledElsewhere = (calls: readonly VettedCall[]): boolean =>
  calls.some(({ stale }) => stale) && calls.every(({ ordinal }) => ordinal === undefined);

/** The current offer, for a call that the model made before. */
export function currentOffer(turn: Turn, now: number): CurrentOffer {
  const facts = factsOf(turn, now);
  const { policy, request, work } = turn.input;
  const { kind } = request.toolChoice;
  // `none` and a subset limit what may be called; the other choices demand a call in the model's next step.
  const narrows = kind === "none" || kind === "subset";
  return { facts, offer: narrows ? offerFor(turn, facts) : offerTools(policy, facts, turn.tools, work) };
}

/**
 * Vets calls that waited, and decides them with the answers.
 * @param annotate as in `vetStep`.
 */
export async function decideAnswered(
  deps: TurnDeps,
  turn: Turn,
  answered: readonly AnsweredApproval[],
  annotate: (call: CallToDecide) => CallToDecide = (call) => call,
): Promise<readonly VettedCall[]> {
  const current = currentOffer(turn, deps.now());
  const toDecide = answered.map((one) => annotate(approvedCall(deps, turn, current, one)));
  const decided = await decideCalls(deps, turn, undefined, toDecide);
  const endorsed = decided.flatMap((one) => one.endorsed ?? []);
  if (endorsed.length > 0) updateLog(turn.log, { endorsed: [...turn.log.endorsed, ...endorsed] });
  const vetted = decided.map((decision, index): VettedCall => {
    const { approval } = answered[index] as AnsweredApproval;
    return { ...vettedCall(decision, waitingCall(approval), toDecide[index] as CallToDecide), answered: true };
  });
  const ids = new Set(answered.map(({ approval }) => approval.id));
  updateLog(turn.log, { waiting: turn.log.waiting.filter(({ id }) => !ids.has(id)) });
  for (const [index, call] of vetted.entries()) {
    const { approval } = answered[index] as AnsweredApproval;
    recordDecisions(turn.log, [{ ...decisionNote(call), approval: approval.id }]);
    if (call.reasons.some(({ code }) => code === "approval_denied"))
      refuseRepeats(deps, turn, approval, { code: "approval_denied", tool: approval.tool, reason: null });
  }
  return vetted;
}

/** The same call is refused without a question for the rest of the turn: it was answered, or waits already. */
export function refuseRepeats(deps: TurnDeps, turn: Turn, approval: Approval, reason: Reason): void {
  const value = JSON.parse(approval.arguments) as Arguments;
  const refused = [callKey(deps, turn, approval.tool, value), reason] as const;
  updateLog(turn.log, { refusedCalls: new Map([...turn.log.refusedCalls, refused]) });
}

/** The call as stored. If a stored record has vendor members that are not allowed, the digest differs and the call is refused. */
export const waitingCall = ({ callId, tool, arguments: args, extra }: Approval): ModelCall => ({
  id: callId,
  name: tool,
  arguments: args,
  extra: vendorMembers(extra),
});

function approvedCall(
  deps: TurnDeps,
  turn: Turn,
  current: CurrentOffer,
  { approval, answer, refusal }: AnsweredApproval,
): CallToDecide {
  const value = JSON.parse(answer?.edited?.arguments ?? approval.arguments) as Arguments;
  const call = waitingCall(approval);
  const objection = refusal ?? changedSinceAsked(turn, approval, value);
  const answered: CurrentOffer = { ...current, facts: { ...current.facts, answered: true } };
  const vetted = objection ? denied(objection) : onlyShown(approval, vetWaitingCall(turn, answered, approval, value));
  const toDecide = callToDecide(deps, turn, call, vetted, value);
  // An edit covers the model's arguments only, so the digest without the gateway's arguments is compared first.
  const own = callDigest(value, call.extra);
  const digest = (answer?.edited ?? approval).digest === own ? own : toDecide.digest;
  const { id, madeBy } = approval;
  return { ...toDecide, digest, approval: { id, answer }, ...(madeBy ? { madeBy } : {}) };
}

/**
 * The policy has changed since the person was asked: the tool's risk, or the gateway now sets an argument that they saw as the model's. The
 * answer was not to this call.
 */
function changedSinceAsked({ input }: Turn, { tool, disclosure }: Approval, value: Arguments): Reason | undefined {
  const sameRisk = riskProfileOf(traitsOf(input.policy, tool)) === riskProfileOf(disclosure);
  const same = sameRisk && withoutSystem(input.policy.tools.get(tool), value) === value;
  return same ? undefined : { code: "approval_mismatch", tool };
}

/** An answer does not cover a condition that the person did not read. An edit elsewhere, or a new policy, may bring one. */
function onlyShown(approval: Approval, vetted: PureDecision): PureDecision {
  const isNew = vetted.reasons.some((reason) => reason.code === "condition_asks" && !wasShown(reason, approval));
  return isNew && vetted.effect !== "deny" ? denied({ code: "approval_mismatch", tool: approval.tool }) : vetted;
}

/** Whether the question named all these conditions. */
function wasShown({ say }: ConditionAsks, approval: Approval): boolean {
  const shown = shownConditions(approval) ?? [];
  return approval.asks.includes("condition_asks") && say.every((words) => shown.includes(words));
}

type ConditionAsks = Extract<Reason, { code: "condition_asks" }>;

export function vetWaitingCall(turn: Turn, current: CurrentOffer, approval: Approval, value: Arguments): PureDecision {
  const { callId, tool, undoes } = approval;
  const { policy, work } = turn.input;
  const { facts, offer } =
    undoes === undefined ? current : undoOffer(policy, current.facts, turn.tools, tool, turn.input.work);
  return vetCall(policy, facts, offer, { id: callId, tool, arguments: value }, work);
}
