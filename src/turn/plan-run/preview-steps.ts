/**
 * Previews a plan's steps as if they ran now: whether the rules refuse each, what its question would be, and the digest that an approval of
 * the whole plan binds. Opens no turn and counts nothing.
 */
import { describeCall, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import { redactArguments } from "../../lib/redact.ts";
import { templateDigest } from "../../plan/plan.ts";
import { withoutSystem } from "../../policy/arguments/system-arguments.ts";
import type { Facts } from "../../policy/facts.ts";
import { offerTools } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { usableTools } from "../../policy/usable-tools.ts";
import { type ApprovedStep, awaitsApproval, type StoredPlan, type StoredStep } from "../../ports/plans-port.ts";
import type { SessionInfo } from "../../session/state.ts";
import { vetComplete } from "../call/complete-call.ts";
import { discloseFor } from "../call/disclose-call.ts";
import { factsOf } from "../offer/offer-step.ts";
import { previewOpenResult } from "../open/preview-open-result.ts";
import { digestOf } from "../step/vet-step.ts";
import { newTurn, type Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { type RunInput, turnInput } from "./open-run.ts";
import { filledTemplate, knownArguments, wishFacts } from "./step-call.ts";

export interface StepPreview {
  /** Why the rules would refuse it; empty if no objection is known. */
  readonly refusal: readonly Reason[];
  /** Reason codes of the question. */
  readonly asks: readonly string[];
  /** Absent if there would be no question. */
  readonly disclosure: string | undefined;
  /** The call's digest; the template's, if results are still missing. */
  readonly digest: ApprovedStep;
}

/** A turn in the plan's session that is never opened. */
export function previewTurn(input: RunInput, session: SessionInfo | undefined, connections: readonly string[]): Turn {
  const { session: id, mode } = input.plan;
  const opened = previewOpenResult({ session: id, info: session, mode, connections });
  return newTurn(turnInput(input, true), opened);
}

/** @param consented tools whose first use has consent. @returns by step id. */
export function previewSteps(
  deps: Pick<TurnDeps, "tools" | "now">,
  turn: Turn,
  plan: StoredPlan,
  steps: readonly StoredStep[],
  consented: ReadonlySet<string>,
): ReadonlyMap<string, StepPreview> {
  const { policy } = turn.input;
  const now = deps.now();
  const anyIntent = offerOfAnyIntent(turn, now);
  const offered = { ...anyIntent, facts: wishFacts(turn, plan, anyIntent.facts) };
  const preview = (step: StoredStep): StepPreview => {
    const { tool } = step;
    const traits = traitsOf(policy, tool);
    const known = knownArguments(plan, step);
    const completed = known && vetKnown(turn, offered, tool, known);
    const template = filledTemplate(turn, step);
    const whole = completed?.value ?? template.arguments.input;
    const recorded = redactArguments(whole, traits.redact);
    const shown = awaitsApproval(plan, policy) ? redactArguments(whole, traits.hideFromApprover) : recorded;
    const vetted = completed?.vetted;
    const reasons = vetted?.effect === "confirm" ? vetted.reasons : [];
    const asks = [
      ...(traits.gate && !consented.has(tool) ? ["first_use"] : []),
      ...(traits.needsConfirmation ? ["confirmation_required"] : []),
      ...reasons.map(({ code }) => code),
    ];
    const disclosed = () => disclosureText(describeCall(discloseFor(turn, traits, reasons), { asks, shown, recorded }));
    return {
      refusal: vetted?.effect === "deny" ? vetted.reasons : withheldFor(turn, tool, now, offered),
      asks,
      disclosure: asks.length > 0 ? disclosed() : undefined,
      digest: completed
        ? { call: digestOf(deps as TurnDeps, turn, tool, completed.value) }
        : { template: templateDigest(template, plan.values) },
    };
  };
  return new Map(steps.map((step) => [step.id, preview(step)]));
}

type OfferOfAnyIntent = ReturnType<typeof offerOfAnyIntent>;

/** The run selects the intent that a tool needs, so a tool counts if some intent permits it. */
function offerOfAnyIntent(turn: Turn, now: number) {
  // The steps before it may be the calls that it must follow.
  const facts: Facts = { ...factsOf(turn, now), state: "action", intents: [], history: undefined };
  return { facts, offer: offerTools(turn.input.policy, facts, turn.tools, turn.input.work) };
}

function vetKnown(turn: Turn, offered: OfferOfAnyIntent, tool: string, known: Readonly<Record<string, unknown>>) {
  return vetComplete(turn, offered, { id: "", name: tool }, withoutSystem(turn.input.policy.tools.get(tool), known));
}

/** Why a run could not call the tool now; empty if it could. */
export function withheldFor(
  turn: Turn,
  name: string,
  now: number,
  { offer }: OfferOfAnyIntent = offerOfAnyIntent(turn, now),
): readonly Reason[] {
  const { input, tools, principal, mode, changedDefinitions } = turn;
  const definition = tools.find((tool) => tool.name === name);
  if (definition === undefined) return [{ code: "unknown_tool", tool: name }];
  const { policy, work } = input;
  const context = { principal, modes: [mode], now, changedDefinitions, noForcedTool: true as const, work };
  const [refused] = usableTools(policy, context, [definition]).withheld;
  return refused?.reasons ?? offer.withheld.find((one) => one.name === name)?.reasons ?? [];
}
