/** A call as a step of a plan, for UserGuard: whose it is, and what a person who approved the whole plan has seen of it. Pure. */
import { templateDigest } from "../../plan/plan-digest.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { CallToDecide } from "../guard-port.ts";
import type { KeptPlan, KeptStep } from "../plans-port.ts";
import type { PlanRun } from "./plan-run.ts";

type Mark = (call: CallToDecide) => CallToDecide;

/** A call that is not covered by what was approved before: a handshake's, and one that a person was asked about by itself. */
export const markedAs =
  ({ turn, plan }: PlanRun, step: KeptStep): Mark =>
  (call) => ({
    ...call,
    madeBy: "plan",
    plan: { id: plan.id, step: step.id, trusted: traitsOf(turn.input.policy, call.tool).trusted },
  });

/** @param from the steps whose results were put into its arguments. */
export function coveredAs(run: PlanRun, step: KeptStep, from: readonly string[]): Mark {
  const mark = markedAs(run, step);
  return (call) => {
    const marked = mark(call);
    const covered = coverOf(run.plan, step, from, call);
    return marked.plan && covered ? { ...marked, plan: { ...marked.plan, covered } } : marked;
  };
}

/**
 * Where results were put in the person has seen the template alone: it stands for the call only where every tool that they came
 * from can be believed.
 */
function coverOf(
  { steps, values }: KeptPlan,
  step: KeptStep,
  from: readonly string[],
  { digest }: CallToDecide,
): { readonly call: string } | { readonly template: string } | undefined {
  if (digest === null) return undefined;
  if (from.length === 0) return { call: digest };
  const believed = from.every((id) => steps.some((one) => one.id === id && one.trusted));
  return believed ? { template: templateDigest(step, values) } : undefined;
}
