/** A step's arguments, as far as the plan knows them by now. Pure. */

import type { Result } from "../../lib/result.ts";
import { type BoundStep, bindStep } from "../../plan/bind.ts";
import type { PlanFault } from "../../plan/plan.ts";
import type { KeptPlan, KeptStep } from "../../ports/plans-port.ts";

/** With the results of the steps before it. */
export function boundArguments(
  { steps, placeholders, values }: KeptPlan,
  step: KeptStep,
): Result<BoundStep, PlanFault> {
  const ended = steps.filter(({ status }) => status === "succeeded");
  return bindStep(step, { placeholders, values, results: new Map(ended.map(({ id, result }) => [id, result])) });
}

/** As they will be called where nothing is to come of other steps; undefined where something is, or is not filled in yet. */
export function knownArguments({ placeholders, values }: KeptPlan, step: KeptStep): BoundStep["arguments"] | undefined {
  const bound = bindStep(step, { placeholders, values, results: new Map() });
  return bound.ok ? bound.value.arguments : undefined;
}
