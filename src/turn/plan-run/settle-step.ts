/** A step that waited for a person when the run began. Changes the run. */
import type { KeptStep } from "../../ports/plans-port.ts";
import { ask, lose, settle } from "./act-on.ts";
import type { Moved, PlanRun } from "./plan-run.ts";

export async function settleStep(run: PlanRun, step: KeptStep): Promise<Moved> {
  const approval = step.approval === null ? undefined : await run.deps.guard.approvals.find(step.approval);
  if (!approval || approval.settledBy !== null) return lose(run, step);
  return approval.status === "pending" ? ask(run, step, approval) : settle(run, step, approval);
}
