/** The call of a step that the client is to run, told again: it may have lost the reply that told it. */
import type { ReleasedCall } from "../guard-port.ts";
import type { KeptPlan, KeptStep } from "../plans-port.ts";
import type { Turn } from "../turn.ts";
import { boundArguments } from "./bound-arguments.ts";
import { completeArguments } from "./foresee.ts";
import type { PlanRunDeps } from "./plan-run.ts";

/** The id under which it was released is the one that its result must bear. */
export async function releasedCall(
  { guard, now }: Pick<PlanRunDeps, "guard" | "now">,
  turn: Turn,
  plan: KeptPlan,
  step: KeptStep,
): Promise<ReleasedCall> {
  const kept = step.decision === null ? undefined : await guard.call(step.decision);
  if (!kept) throw new Error("the call that was released is not kept any more");
  const call = { id: kept.callId, tool: step.tool, extra: undefined };
  const asked = step.approval === null ? undefined : await guard.approval(step.approval);
  // As a person has approved it, who may have changed it.
  if (asked?.settledBy === step.decision) return { ...call, arguments: asked.arguments };
  const bound = boundArguments(plan, step);
  if (!bound.ok) throw new Error("the arguments of the call that was released are not known any more");
  return { ...call, arguments: JSON.stringify(completeArguments(turn, step.tool, bound.value.arguments, now())) };
}
