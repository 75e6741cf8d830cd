/**
 * Records and judges calls that the provider has run itself. They could not be stopped: only the offer and the policy's `allowHosted`
 * decide whether they run. They are judged anyway: one that the rules refuse ends the step, so that nothing follows from its result.
 */

import { traitsOf } from "../../policy/traits.ts";
import { ALLOWED, type PureDecision, vetCall } from "../../policy/vet.ts";
import type { StepOutcome } from "../../ports/model-port.ts";
import type { CallToDecide } from "../../ports/turns/decide-request.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { modelStep } from "../offer/offer-step.ts";
import type { StepContext, StepOffer } from "../offer/step-offer.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordHosted } from "../turn-log.ts";
import { readArguments } from "./read-arguments.ts";
import { callToDecide, decideCalls } from "./vet-step.ts";
import { decisionNote, vettedCall } from "./vetted-call.ts";

/** One call of the model. Hosted calls in it are recorded before any other call of the step is vetted. */
export async function recordedStep(context: StepContext, turn: Turn, step: StepOffer): Promise<StepOutcome> {
  const hosted: ModelCall[] = [];
  const outcome = await modelStep(context, turn, step, (call) => hosted.push(call));
  return (await recordHostedCalls(context.deps, turn, step, hosted)) ?? outcome;
}

/** @returns the outcome of a step that must end here. */
async function recordHostedCalls(
  deps: TurnDeps,
  turn: Turn,
  step: StepOffer,
  calls: readonly ModelCall[],
): Promise<StepOutcome | undefined> {
  if (calls.length === 0) return undefined;
  const toDecide = calls.map((call) => hostedToDecide(deps, turn, step, call));
  const decided = await decideCalls(deps, turn, undefined, toDecide);
  recordHosted(turn.log, {
    decisions: decided.map((decision, index) => {
      const call = calls[index] as ModelCall;
      return decisionNote(vettedCall(decision, call, toDecide[index] as CallToDecide));
    }),
    succeeded: toDecide.flatMap(({ effect, families }) => (effect === "allow" ? families : [])),
    untrusted: toDecide.some(({ hosted }) => hosted?.untrusted),
  });
  const refused = toDecide.find(({ effect }) => effect === "deny");
  if (!refused) return undefined;
  return {
    kind: "disorderly",
    detail: `the provider ran \`${refused.tool}\`, which the rules refuse`,
    error: undefined,
    begun: [],
  };
}

function hostedToDecide(deps: TurnDeps, turn: Turn, { offer, facts }: StepOffer, call: ModelCall): CallToDecide {
  const { policy, work } = turn.input;
  const args = readArguments(call);
  const vetted = args.ok
    ? withoutQuestions(vetCall(policy, facts, offer, { id: call.id, tool: call.name, arguments: args.value }, work))
    : ALLOWED;
  const decided = callToDecide(deps, turn, call, vetted, args.ok ? args.value : null);
  return { ...decided, hosted: { untrusted: !traitsOf(policy, call.name).trusted } };
}

/** It has run: a question is too late, and the policy accepted that. */
const withoutQuestions = (vetted: PureDecision): PureDecision =>
  vetted.effect === "deny" ? { ...vetted, counted: ALLOWED.counted } : ALLOWED;
