/**
 * What a step of a plan would come to if it were run now, as far as it can be told before: whether the rules refuse it, what a
 * person would be asked, and the digest that their yes to the whole plan is bound to. Opens no turn, and counts nothing.
 */
import { describeCall, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import { redactArguments } from "../../lib/redact.ts";
import { templateDigest } from "../../plan/plan-digest.ts";
import { withoutSystem } from "../../policy/arguments/system-arguments.ts";
import { type Offer, offerTools } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { usableTools } from "../../policy/usable-tools.ts";
import { vetCall } from "../../policy/vet.ts";
import { awaitsApproval, type KeptPlan, type KeptStep, type PlanApproval } from "../../ports/plans-port.ts";
import type { SessionInfo } from "../../session/session-info.ts";
import { discloseFor } from "../confirm/disclose-for.ts";
import { completeCall } from "../confirm/question.ts";
import { factsOf } from "../offer/offer-step.ts";
import { digestOf } from "../step/call-to-decide.ts";
import type { Arguments } from "../step/read-arguments.ts";
import { newTurn, type Turn, type TurnDeps } from "../turn.ts";
import { knownArguments } from "./bound-arguments.ts";
import { filledTemplate } from "./filled-template.ts";
import { type RunInput, turnInput } from "./open-run.ts";

export interface Foreseen {
  /** Why it would be refused; empty where nothing speaks against it yet. */
  readonly refusal: readonly Reason[];
  /** Codes of what a person would be asked for. */
  readonly asks: readonly string[];
  /** As text, for who approves the plan, or who reads it later; absent where nobody would be asked. */
  readonly disclosure: string | undefined;
  /** As the call will be decided; of a step that refers to results, of its template. */
  readonly digest: PlanApproval["steps"][string];
}

/** A turn of the plan's session that is never opened. */
export function foreseenTurn(input: RunInput, session: SessionInfo | undefined, connections: readonly string[]): Turn {
  const opened = {
    session: input.plan.session,
    mode: input.plan.mode,
    fresh: false,
    intents: session?.intents ?? [],
    detected: session?.detected ?? [],
    succeeded: [],
    reminded: false,
    untrusted: false,
    changedDefinitions: [],
    hidden: [],
    replay: undefined,
    connections,
  };
  return newTurn(turnInput(input, true), opened);
}

/** @param consented tools whose first use has its consent. */
export function foreseeStep(
  deps: Pick<TurnDeps, "tools" | "now">,
  turn: Turn,
  plan: KeptPlan,
  step: KeptStep,
  consented: ReadonlySet<string>,
): Foreseen {
  const { policy } = turn.input;
  const traits = traitsOf(policy, step.tool);
  const { completed, offer } = judge(turn, step.tool, knownArguments(plan, step), deps.now());
  const vetted = completed?.vetted;
  const asks = [
    ...(traits.gate && !consented.has(step.tool) ? ["first_use"] : []),
    ...(traits.asks ? ["confirmation_required"] : []),
  ];
  const template = filledTemplate(turn, step);
  const whole = completed?.value ?? template.arguments.input;
  const recorded = redactArguments(whole, traits.redact);
  const shown = awaitsApproval(plan, policy) ? redactArguments(whole, traits.hideFromApprover) : recorded;
  const reasons = vetted?.effect === "confirm" ? vetted.reasons : [];
  const asked = [...asks, ...reasons.map(({ code }) => code)];
  const told = () => describeCall(discloseFor(turn, traits, reasons), { asks: asked, shown, recorded });
  return {
    refusal: vetted?.effect === "deny" ? vetted.reasons : withheld(turn, offer, step.tool, deps.now()),
    asks: asked,
    disclosure: asked.length > 0 ? disclosureText(told()) : undefined,
    digest: completed
      ? { call: digestOf(deps as TurnDeps, turn, step.tool, completed.value) }
      : { template: templateDigest(template, plan.values) },
  };
}

/** Whether it may be called in a run of now, under some intent of the policy. */
export const isUsable = (turn: Turn, tool: string, now: number): boolean =>
  withheld(turn, judge(turn, tool, undefined, now).offer, tool, now).length === 0;

/** @param known undefined where its arguments are not known yet. */
function judge(turn: Turn, tool: string, known: Arguments | undefined, now: number) {
  const { policy, work } = turn.input;
  // Whatever intent it takes: that is selected when the plan runs.
  const facts = { ...factsOf(turn, now), state: "action" as const, intents: [] };
  const offer = offerTools(policy, facts, turn.tools, work);
  if (!known) return { offer, completed: undefined };
  const made = withoutSystem(policy.tools.get(tool), known);
  const first = vetCall(policy, facts, offer, { id: "", tool, arguments: made }, work);
  const call = { id: "", name: tool, arguments: "", extra: undefined };
  return { offer, completed: completeCall(turn, { offer, facts }, call, first, made) };
}

/** A tool that may be used under some intent of the policy, and in the plan's mode. */
function withheld(
  { input, tools, principal, mode, changedDefinitions }: Turn,
  offer: Offer,
  name: string,
  now: number,
) {
  const definition = tools.find((tool) => tool.name === name);
  if (definition === undefined) return [{ code: "unknown_tool" as const, tool: name }];
  const { policy, work } = input;
  const asking = { principal, modes: [mode], now, changedDefinitions, undemanded: true as const, work };
  const [refused] = usableTools(policy, asking, [definition]).withheld;
  return refused?.reasons ?? offer.withheld.find((one) => one.name === name)?.reasons ?? [];
}
