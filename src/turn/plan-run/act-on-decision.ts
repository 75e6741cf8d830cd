/** What follows from the decision on a step's call: it runs, is released, waits for a person, or is refused. */
import type { Approval } from "../../approvals/approval.ts";
import type { PlanFault } from "../../plan/plan.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import { holdFor } from "../confirm/hold.ts";
import { momentOf, settleApprovals } from "../confirm/settle-approvals.ts";
import { isOffer } from "../offer/offer-step.ts";
import { isReleased, runCalls } from "../runs/run-calls.ts";
import type { VettedCall } from "../step/vet-step.ts";
import { recordStep, recordWaiting } from "../turn-log.ts";
import { type PlanRun, refresh, type StepMove, stepOf } from "./plan-run.ts";
import { selectIntentForTool } from "./select-intent-for-tool.ts";
import { markStepCall } from "./step-call.ts";

/** A plan has no words, and its reply stays open by itself. */
const SILENT = { hold() {}, say() {} };

export async function actOnDecision(run: PlanRun, step: KeptStep, decided: VettedCall): Promise<StepMove> {
  const { call, approval, ordinal, arguments: args } = decided;
  if (approval) return askPerson(run, step, approval);
  if (ordinal === undefined) return { reasons: decided.reasons };
  if (isReleased(decided)) {
    return { released: { id: call.id, tool: call.name, arguments: args, extra: undefined } };
  }
  const ran = await runCalls(run.deps, run.turn, SILENT, [decided]);
  if (ran.ok) return {};
  if (ran.error.kind !== "error") throw new Error("the run of a plan's call ended the turn");
  return { end: { kind: "error", ending: ran.error } };
}

/** A step that waited for a person when the run began. */
export async function continueWaiting(run: PlanRun, step: KeptStep): Promise<StepMove> {
  const approval = step.approval === null ? undefined : await run.deps.guard.approvals.find(step.approval);
  if (!approval || approval.settledBy !== null) return abandonStep(run, step);
  return approval.status === "pending" ? askPerson(run, step, approval) : settleAnswer(run, step, approval);
}

/** On the channel `hold` the run waits for the answer; otherwise it ends here. */
async function askPerson(run: PlanRun, step: KeptStep, approval: Approval): Promise<StepMove> {
  const { deps, turn, gone } = run;
  run.emit({ type: "approval_required", step: stepOf(await refresh(run), step.id), approval });
  recordWaiting(turn.log, [approval]);
  if (turn.input.channel !== "hold") return {};
  const [answered] = (await holdFor(deps, turn, [approval], SILENT, gone)) ?? [];
  if (!answered) return { end: { kind: "gone" } };
  if (answered.status === "cancelled" && (await refresh(run)).status === "cancelled")
    return { end: { kind: "cancelled" } };
  return settleAnswer(run, step, answered);
}

async function settleAnswer(run: PlanRun, step: KeptStep, approval: Approval): Promise<StepMove> {
  const { deps, turn } = run;
  // The session may no longer hold the intent that the question was asked under.
  if (approval.status === "approved" && !isOffer(await selectIntentForTool(run, step))) return abandonStep(run, step);
  const moment = momentOf(turn, deps.now());
  const [settled] = await settleApprovals(deps, turn, moment, [{ approval }], markStepCall(run, step));
  recordStep(turn.log);
  return !settled || settled.stale ? abandonStep(run, step) : actOnDecision(run, step, settled);
}

/** The question is gone: its session ended, or a chat in that session moved on. A chat that took up the call settles the step. */
async function abandonStep({ deps, turn, plan }: PlanRun, { id: step }: KeptStep): Promise<StepMove> {
  const message = "the question about this step is no longer open: run the plan again to be asked again";
  const fault: PlanFault = { code: "abandoned", message, step };
  const status = await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step, fault });
  return { elsewhere: status !== "failed" };
}
