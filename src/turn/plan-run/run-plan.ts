/**
 * A run of a plan: one turn, without a model.
 *
 *  1 open      the plan's session; what the client brings settles the steps that were released to it
 *  2 step      the first that has not succeeded: its arguments bound, vetted by the rules as they are now, and run, released,
 *              asked about or refused
 *  3 again     from 2, until nothing is left, a step has failed, or somebody else must bring something
 *  4 let go    of the plan, and close the turn, whatever has failed; its record tells where an intent required more
 *
 * Never rejects. Where the client goes away, what runs is brought to its end and noted, and nothing more is begun.
 */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import { completionText } from "../../policy/intent-guard/texts.ts";
import { checkCompletion } from "../../policy/intent-guard/unmet.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import { ceilingEnding } from "../ceilings.ts";
import type { Ending } from "../ending.ts";
import { clientGone, gatewayFailure } from "../failures.ts";
import { unmetEnding } from "../offer/unmet-ending.ts";
import { closeTurn } from "../record/record-turn.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { openRun, type RunInput } from "./open-run.ts";
import type { PlanEvent, TellEvent } from "./plan-event.ts";
import { type PlanRun, type RunEnd, refresh } from "./plan-run.ts";
import { takeStep } from "./take-step.ts";

export interface Running extends RunInput {
  /** Fires when the client goes away. */
  readonly gone: AbortSignal;
}

/** @param input with the plan as the turn that it names has begun it (`beginPlan`). */
export async function runPlan(deps: TurnDeps, input: Running, tell: TellEvent): Promise<void> {
  let turn: Turn | undefined;
  let end: RunEnd;
  try {
    turn = await openRun(deps, input);
    deps.watch?.opened(turn);
    const over = ceilingEnding(turn);
    end = over
      ? { kind: "error", ending: over }
      : await takeSteps({ deps, turn, plan: input.plan, tell, gone: input.gone });
  } catch (error) {
    end = await failedEnd(deps, input, error);
  }
  const plan = await letGo(deps, input);
  const last = lastEvent(end, plan ?? input.plan);
  const ending = unmetOf(turn, end) ?? endingOf(end);
  if (last) tell(last);
  if (turn) await closeTurn(deps, turn, ending);
  deps.watch?.replied(undefined);
  deps.watch?.ended(ending);
}

async function takeSteps(run: PlanRun): Promise<RunEnd> {
  const { turn } = run;
  const { policy } = turn.input;
  const released = new Set(run.plan.steps.filter(({ status }) => status === "released").map(({ id }) => id));
  // What the client has brought has moved its steps.
  for (const step of (await refresh(run)).steps) {
    if (released.has(step.id) && step.status === "succeeded") run.tell({ type: "step_finished", step });
  }
  for (;;) {
    if (run.plan.status === "cancelled") return { kind: "cancelled" };
    const step = run.plan.steps.find(({ status }) => status !== "succeeded");
    if (!step) return { kind: "finished", unmet: checkCompletion(policy, turn.log.intents, turn.log.succeeded) };
    if (run.gone.aborted) return { kind: "gone" };
    const end = await takeStep(run, step);
    if (end) return end;
  }
}

/** Where the plan was cancelled meanwhile, nothing of it is decided any more: that is no failure. */
async function failedEnd({ guard }: TurnDeps, { id, plan }: Running, error: unknown): Promise<RunEnd> {
  const all = plan.steps.map((step) => step.id);
  const now = await guard.plans.progress(plan.id, all).catch(() => undefined);
  if (now?.status === "cancelled") return { kind: "cancelled" };
  const ending = gatewayFailure(error, id);
  if (ending.kind !== "error") throw new Error("a failure ended well");
  return { kind: "error", ending };
}

/** Undefined where it could not be: its lease ends by itself. */
async function letGo({ guard }: TurnDeps, { id, plan }: Running): Promise<KeptPlan | undefined> {
  try {
    return await guard.plans.end(plan.id, id);
  } catch (error) {
    log("error", "plan_not_let_go", { turn: id, ...describeError(error) });
    return undefined;
  }
}

function lastEvent(end: RunEnd, plan: KeptPlan): PlanEvent | undefined {
  switch (end.kind) {
    case "paused":
      // Cancelled at the very end.
      if (plan.status === "cancelled") return { type: "plan_finished", plan };
      return { type: "plan_paused", plan, waitsFor: end.waitsFor };
    case "error":
      return { type: "error", status: end.ending.status, error: end.ending.error };
    case "gone":
      return undefined;
    default:
      return { type: "plan_finished", plan };
  }
}

/** Each step was done, and not what the intent requires: the task has failed, as it would in a chat. */
function unmetOf(turn: Turn | undefined, end: RunEnd): Ending | undefined {
  if (!turn || end.kind !== "finished" || !end.unmet) return undefined;
  return unmetEnding(turn, end.unmet, completionText(end.unmet));
}

function endingOf(end: RunEnd): Ending {
  switch (end.kind) {
    case "finished":
    case "cancelled":
      return stopped("completed");
    case "failed":
      return stopped(end.refused ? "tool_policy_blocked" : "completed");
    case "paused":
      if (end.waitsFor === "approval") return stopped("awaiting_approval");
      return { kind: "answer", stopReason: "completed", step: undefined, calls: end.released ? [end.released] : [] };
    case "error":
      return end.ending;
    case "gone":
      return clientGone;
  }
}

const stopped = (stopReason: "completed" | "tool_policy_blocked" | "awaiting_approval"): Ending => ({
  kind: "stop",
  stopReason,
  finishReason: "stop",
  text: "",
});
