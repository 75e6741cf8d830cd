/**
 * Judges a step by another policy that is not in force: a candidate, which judges after the reply has ended, so that it cannot change the
 * reply. Pure.
 *
 * How the conversation would have gone on under the other policy is unknown: each step is judged as it came, with the intents that the
 * policy in force had detected.
 */
import { type JsonObject, parseObject } from "../../lib/json/json-value.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Decision } from "../../policy/decision.ts";
import { applyRecordedCounts, type KnownCounts } from "../../policy/replay/carry-counts.ts";
import { vetCall } from "../../policy/vet.ts";
import type { CallToDecide, DecidedCall } from "../../ports/turns/decide-request.ts";
import type { CandidateCall, StepDifferences } from "../../ports/turns/turn-account.ts";
import { factsOf, offerFor } from "../offer/offer-step.ts";
import type { Turn } from "../turn.ts";

interface JudgedStep {
  /** The turn's state when the step was judged. */
  readonly turn: Turn;
  readonly now: number;
  /** The offer that the model got. */
  readonly offered: readonly { readonly name: string }[];
  /** Each with its decision, in order. */
  readonly calls: readonly CallToDecide[];
  readonly decided: readonly DecidedCall[];
}

export function judgeStep(candidate: CompiledPolicy, step: JudgedStep): StepDifferences {
  const view = stepView(candidate, step);
  const calls: CandidateCall[] = [];
  let [judged, unjudged] = [0, 0];
  step.calls.forEach((call, index) => {
    const made = step.decided[index];
    // The handshake is the gateway's own, and every policy refuses arguments that cannot be read.
    const args = call.handshake ? undefined : parseObject(call.arguments);
    if (made === undefined || args === undefined) return;
    const other = judgeCall(step, view, { call, made, args });
    if (other === "unjudged") unjudged++;
    else judged++;
    if (typeof other !== "object") return;
    const reasons = other.effect === "allow" ? made.reasons : other.reasons;
    const codes = [...new Set(reasons.map(({ code }) => code))];
    calls.push({ decision: made.id, tool: call.tool, from: made.effect, to: other.effect, reasons: codes });
  });
  const [before, after] = [step.offered, view.offer.offered].map((tools) => tools.map(({ name }) => name));
  return { judged, unjudged, calls, offered: without(after, before), withheld: without(before, after) };
}

const without = (names: readonly string[] = [], others: readonly string[] = []): readonly string[] => {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
};

type StepView = ReturnType<typeof stepView>;

function stepView(policy: CompiledPolicy, { turn, now }: JudgedStep) {
  const intents = turn.log.intents.filter((name) => policy.intents.has(name));
  const judged: Turn = {
    ...turn,
    input: { ...turn.input, policy, work: workBudget() },
    log: { ...turn.log, intents },
  };
  const facts = factsOf(judged, now);
  return { judged, facts, offer: offerFor(judged, facts) };
}

interface MadeCall {
  readonly call: CallToDecide;
  readonly made: DecidedCall;
  readonly args: JsonObject;
}

/** Undefined if both decide alike. */
function judgeCall(step: JudgedStep, view: StepView, one: MadeCall): Decision | undefined | "unjudged" {
  const other = decide(view, one);
  if (other.effect === one.made.effect) return undefined;
  // A difference counts only if the policy in force, on the same input, decides as it did then.
  const again = decide(stepView(step.turn.input.policy, step), one);
  return again.effect === one.made.effect ? other : "unjudged";
}

function decide({ judged, facts, offer }: StepView, { call, made, args }: MadeCall): Decision {
  const { policy, work } = judged.input;
  const pure = vetCall(policy, facts, offer, { id: call.callId, tool: call.tool, arguments: args }, work);
  const counted = call.effect === "deny" ? undefined : call.counted;
  const known: KnownCounts = { effect: made.effect, reasons: made.reasons, counted };
  return applyRecordedCounts(call.tool, pure, known);
}
