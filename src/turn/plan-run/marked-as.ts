/** A call as a step of a plan, for UserGuard: whose it is, and what a person who approved the whole plan has seen of it. Pure. */
import { templateDigest } from "../../plan/plan-digest.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import type { CallToDecide } from "../../ports/turns-port.ts";
import { filledTemplate } from "./filled-template.ts";
import { isDoubted } from "./is-doubted.ts";
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
    const covered = coverOf(run, step, from, call);
    return marked.plan && covered ? { ...marked, plan: { ...marked.plan, covered } } : marked;
  };
}

/**
 * Where results were put in the person has seen the template alone: it stands for the call only where every tool that they came
 * from can be believed, and so can all that these were asked with.
 */
function coverOf(
  { turn, plan }: PlanRun,
  step: KeptStep,
  from: readonly string[],
  { digest }: CallToDecide,
): { readonly call: string } | { readonly template: string } | undefined {
  if (digest === null) return undefined;
  if (from.length === 0) return { call: digest };
  if (isDoubted(plan, from)) return undefined;
  return { template: templateDigest(filledTemplate(turn, step), plan.values) };
}
