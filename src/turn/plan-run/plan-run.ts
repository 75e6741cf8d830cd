/** A plan while one turn runs it. */
import type { Unmet } from "../../policy/intent-guard/unmet.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { KeptPlan, KeptStep } from "../../ports/plans-port.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";
import type { Ending } from "../ending.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import type { TellEvent, WaitsFor } from "./plan-event.ts";

/** Mutable: changed by the steps of `run-plan.ts` alone. */
export interface PlanRun {
  readonly deps: TurnDeps;
  readonly turn: Turn;
  /** As it was last read. */
  plan: KeptPlan;
  readonly tell: TellEvent;
  /** Fires when the client goes away: what runs runs to its end, and nothing more is begun. */
  readonly gone: AbortSignal;
}

/** How a run ends. */
export type RunEnd =
  /** Nothing is left to do. */
  | { readonly kind: "finished"; readonly unmet: Unmet | undefined }
  | { readonly kind: "paused"; readonly waitsFor: WaitsFor; readonly released?: ReleasedCall | undefined }
  /** A step has failed. `refused`: the rules, or a person, did not let it run. */
  | { readonly kind: "failed"; readonly refused: boolean }
  | { readonly kind: "cancelled" }
  | { readonly kind: "gone" }
  | { readonly kind: "error"; readonly ending: Extract<Ending, { kind: "error" }> };

/** What was done about a step, beside what is kept of it. */
export interface Moved {
  readonly reasons?: readonly Reason[] | undefined;
  readonly released?: ReleasedCall | undefined;
  /** Another turn has taken it up: a call that it released is that one's client's to run. */
  readonly elsewhere?: boolean;
  /** What was begun could not be noted, or the client is gone. */
  readonly end?: RunEnd | undefined;
}

/** The plan as it is now. Asks for what may have changed of it: a step that has succeeded stays as it is, with its result. */
export async function refresh(run: PlanRun): Promise<KeptPlan> {
  const { plan, deps } = run;
  const known = plan.steps.filter(({ status }) => status === "succeeded").map(({ id }) => id);
  const now = await deps.guard.plans.progress(plan.id, known);
  if (!now) throw new Error("the plan is not kept any more");
  const moved = new Map(now.steps.map((step) => [step.id, step]));
  run.plan = { ...plan, status: now.status, steps: plan.steps.map((step) => ({ ...step, ...moved.get(step.id) })) };
  return run.plan;
}

export function stepOf(plan: KeptPlan, id: string): KeptStep {
  const step = plan.steps.find((one) => one.id === id);
  if (!step) throw new Error("the plan has no such step");
  return step;
}
