/**
 * A run of a plan: one turn, without a model.
 *
 *  1 open      the plan's session; results from the client settle the steps that were released to it
 *  2 step      the first step that has not succeeded: bind its arguments, vet its call by the current rules, then run, release,
 *              ask or refuse
 *  3 again     from 2, until no step is left, one has failed, or a person or the client must act
 *  4 close     release the plan and close the turn, whatever failed
 *
 * Never rejects. If the client goes away, a running call is finished and recorded, and no other begins.
 */
import { describeError, log } from "../../lib/log.ts";
import { checkCompletion } from "../../policy/intent-guard/unmet.ts";
import type { StoredPlan } from "../../ports/plans-port.ts";
import { type Ending, silentEnding } from "../../ports/turns/ending.ts";
import { clientGone, gatewayFailure, limitEnding } from "../failures.ts";
import { unmetEnding } from "../offer/preflight.ts";
import { recordAndClose } from "../record/record-turn.ts";
import { summaryOf } from "../record/turn-summary.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { openRun, type RunInput } from "./open-run.ts";
import { type EmitEvent, type PlanEvent, type PlanRun, type RunEnd, refresh } from "./plan-run.ts";
import { takeStep } from "./take-step.ts";

interface RunRequest extends RunInput {
  /** Fires when the client goes away. */
  readonly gone: AbortSignal;
}

/** @param input its turn has taken the plan (`beginPlan`). */
export async function runPlan(deps: TurnDeps, input: RunRequest, emit: EmitEvent): Promise<void> {
  let turn: Turn | undefined;
  let end: RunEnd;
  try {
    const opened = await openRun(deps, input);
    turn = opened;
    deps.observer?.opened(() => summaryOf(opened));
    const over = limitEnding(turn);
    end = over
      ? { kind: "error", ending: over }
      : await takeSteps({ deps, turn, plan: input.plan, emit, gone: input.gone });
  } catch (error) {
    end = await endOfFailure(deps, input, error);
  }
  const plan = await letGo(deps, input);
  const last = lastEvent(end, plan ?? input.plan);
  const ending = endingOf(turn, end);
  if (last) emit(last);
  if (turn) await recordAndClose(deps, turn, ending);
  deps.observer?.replied(undefined);
  deps.observer?.ended(ending);
}

async function takeSteps(run: PlanRun): Promise<RunEnd> {
  const { turn } = run;
  const released = new Set(run.plan.steps.filter(({ status }) => status === "released").map(({ id }) => id));
  // The open settled the client's results.
  for (const step of (await refresh(run)).steps) {
    if (released.has(step.id) && step.status === "succeeded") run.emit({ type: "step_finished", step });
  }
  for (;;) {
    if (run.plan.status === "cancelled") return { kind: "cancelled" };
    const step = run.plan.steps.find(({ status }) => status !== "succeeded");
    if (!step)
      return { kind: "finished", unmet: checkCompletion(turn.input.policy, turn.log.intents, turn.log.succeeded) };
    if (run.gone.aborted) return { kind: "gone" };
    const end = await takeStep(run, step);
    if (end) return end;
  }
}

/** After a cancellation the store rejects further decisions on the plan: that is no failure. */
async function endOfFailure({ guard }: TurnDeps, { id, plan }: RunRequest, error: unknown): Promise<RunEnd> {
  const all = plan.steps.map((step) => step.id);
  const now = await guard.plans.progress(plan.id, all).catch(() => undefined);
  if (now?.status === "cancelled") return { kind: "cancelled" };
  const ending = gatewayFailure(error, id);
  if (ending.kind !== "error") throw new Error("a failure did not end as an error");
  return { kind: "error", ending };
}

/** If this fails, the lease expires. */
async function letGo({ guard }: TurnDeps, { id, plan }: RunRequest): Promise<StoredPlan | undefined> {
  try {
    return await guard.plans.end(plan.id, id);
  } catch (error) {
    log("error", "plan_not_let_go", { turn: id, ...describeError(error) });
    return undefined;
  }
}

function lastEvent(end: RunEnd, plan: StoredPlan): PlanEvent | undefined {
  if (end.kind === "gone") return undefined;
  if (end.kind === "error") return { type: "error", status: end.ending.status, error: end.ending.error };
  // A user may have cancelled it at the very end.
  if (end.kind === "paused" && plan.status !== "cancelled")
    return { type: "plan_paused", plan, waitsFor: end.waitsFor };
  return { type: "plan_finished", plan };
}

function endingOf(turn: Turn | undefined, end: RunEnd): Ending {
  switch (end.kind) {
    case "finished":
      // Every step succeeded, but not what the intent requires: the task failed, as it would in a chat.
      return turn && end.unmet ? unmetEnding(turn, end.unmet, "completion") : silentEnding("completed");
    case "cancelled":
      return silentEnding("completed");
    case "failed":
      return silentEnding(end.refused ? "tool_policy_blocked" : "completed");
    case "paused":
      if (end.waitsFor === "approval") return silentEnding("awaiting_approval");
      return { kind: "answer", stopReason: "completed", step: undefined, calls: end.released ? [end.released] : [] };
    case "error":
      return end.ending;
    case "gone":
      return clientGone;
  }
}
