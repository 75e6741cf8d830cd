/** What the decision on a step's call leads to: it is run, released, asked about, or refused. Changes the run. */
import type { Approval } from "../../approvals/approval.ts";
import type { PlanFault } from "../../plan/plan.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import { holdFor } from "../confirm/hold.ts";
import { momentOf, settleApprovals } from "../confirm/settle-approvals.ts";
import { isOffer } from "../offer/offer-step.ts";
import { isReleased, runCalls } from "../runs/run-calls.ts";
import type { VettedCall } from "../step/vet-step.ts";
import { recordStep, recordWaiting } from "../turn-log.ts";
import { markedAs } from "./marked-as.ts";
import { type Moved, type PlanRun, refresh, stepOf } from "./plan-run.ts";
import { reachTool } from "./reach-tool.ts";

/** Nobody is told in words, and the reply is kept alive by itself. */
const SILENT = { hold() {}, say() {} };

export async function actOn(run: PlanRun, step: KeptStep, decided: VettedCall): Promise<Moved> {
  const { call, approval, ordinal, arguments: args } = decided;
  if (approval) return ask(run, step, approval);
  if (ordinal === undefined) return { reasons: decided.reasons };
  if (isReleased(decided)) {
    return { released: { id: call.id, tool: call.name, arguments: args, extra: undefined } };
  }
  const ran = await runCalls(run.deps, run.turn, SILENT, [decided]);
  if (ran.ok) return {};
  if (ran.error.kind !== "error") throw new Error("the run of a plan's call ended the turn");
  return { end: { kind: "error", ending: ran.error } };
}

/** A person is asked: where the reply is held they are waited for, else the run ends here. */
export async function ask(run: PlanRun, step: KeptStep, approval: Approval): Promise<Moved> {
  const { deps, turn, gone } = run;
  run.tell({ type: "approval_required", step: stepOf(await refresh(run), step.id), approval });
  recordWaiting(turn.log, [approval]);
  if (turn.input.channel !== "hold") return {};
  const [answered] = (await holdFor(deps, turn, [approval], SILENT, gone)) ?? [];
  if (!answered) return { end: { kind: "gone" } };
  if (answered.status === "cancelled" && (await refresh(run)).status === "cancelled")
    return { end: { kind: "cancelled" } };
  return settle(run, step, answered);
}

/** @param approval answered, by whomever and in whichever way. */
export async function settle(run: PlanRun, step: KeptStep, approval: Approval): Promise<Moved> {
  const { deps, turn } = run;
  // The intent that it was asked under may be gone.
  if (approval.status === "approved" && !isOffer(await reachTool(run, step))) return lose(run, step);
  const moment = momentOf(turn, deps.now());
  const [settled] = await settleApprovals(deps, turn, moment, [{ approval }], markedAs(run, step));
  recordStep(turn.log);
  return !settled || settled.stale ? lose(run, step) : actOn(run, step, settled);
}

/**
 * There is nothing to act on: its session has ended, or the conversation in it went on to something else. Where that took up the
 * very call, the step is what came of it.
 */
export async function lose({ deps, turn, plan }: PlanRun, { id: step }: KeptStep): Promise<Moved> {
  const message = "what was asked about this step is not open any more: run the plan again to have it asked anew";
  const fault: PlanFault = { code: "abandoned", message, step };
  const status = await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step, fault });
  return { elsewhere: status !== "failed" };
}
