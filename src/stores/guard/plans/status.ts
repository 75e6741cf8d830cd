/** What a plan is, by what its steps are. Pure. */
import type { PlanStatus, StepStatus } from "../../../ports/plans-port.ts";

/**
 * As if no turn held it: then it is `running` for as long as a call of it is under way. One cancelled stays so, whatever its
 * steps come to.
 */
export function statusOf(steps: readonly StepStatus[], begun: boolean): PlanStatus {
  const is = (...any: readonly StepStatus[]) => steps.some((step) => any.includes(step));
  if (steps.length === 0) return "empty";
  if (is("running")) return "running";
  if (is("failed", "unknown")) return "failed";
  if (!is("ready", "waiting", "released")) return "finished";
  return begun ? "paused" : "ready";
}

/** Nothing of it will be done any more. */
export const hasEnded = (status: string): boolean =>
  status === "finished" || status === "cancelled" || status === "empty";
