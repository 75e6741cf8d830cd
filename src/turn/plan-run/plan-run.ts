/** The run of a plan by one turn: its state, its events, and how it ends. */
import type { Approval } from "../../approvals/approval.ts";
import type { UnmetRequirement } from "../../policy/intent-guard/unmet.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { StoredPlan, StoredStep } from "../../ports/plans-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";

/** `approval`: a person must answer. `client`: the client must run a call and bring its result. */
type WaitsFor = "approval" | "client";

export type PlanEvent =
  /** The first event of each run. */
  | { readonly type: "plan_generated"; readonly plan: StoredPlan }
  | { readonly type: "step_started"; readonly step: StoredStep }
  | { readonly type: "approval_required"; readonly step: StoredStep; readonly approval: Approval }
  /** The client runs the call and brings the result with the next run. */
  | { readonly type: "call_released"; readonly step: StoredStep; readonly call: ReleasedCall }
  | { readonly type: "step_finished"; readonly step: StoredStep }
  | { readonly type: "step_failed"; readonly step: StoredStep; readonly reasons: readonly Reason[] }
  /** One of the next three is the last event. */
  | { readonly type: "plan_paused"; readonly plan: StoredPlan; readonly waitsFor: WaitsFor }
  /** The plan's status says whether it finished, failed or was cancelled. */
  | { readonly type: "plan_finished"; readonly plan: StoredPlan }
  /** OpenAI's error object. The next run continues where this one stopped. */
  | { readonly type: "error"; readonly status: number; readonly error: unknown };

export type EmitEvent = (event: PlanEvent) => void;

export interface PlanRun {
  readonly deps: TurnDeps;
  readonly turn: Turn;
  /** As last read; only `refresh` replaces it. */
  plan: StoredPlan;
  readonly emit: EmitEvent;
  /** Fires when the client goes away: a running call is finished, and no other begins. */
  readonly gone: AbortSignal;
}

/** How a run ends. */
export type RunEnd =
  | { readonly kind: "finished"; readonly unmet: UnmetRequirement | undefined }
  | { readonly kind: "paused"; readonly waitsFor: WaitsFor; readonly released?: ReleasedCall | undefined }
  /** `refused`: the rules or a person did not let the step run. */
  | { readonly kind: "failed"; readonly refused: boolean }
  | { readonly kind: "cancelled" }
  | { readonly kind: "gone" }
  | { readonly kind: "error"; readonly ending: Extract<Ending, { kind: "error" }> };

/** The outcome of a step in this run, in addition to what is stored of the step. */
export interface StepMove {
  /** Why the step was refused. */
  readonly reasons?: readonly Reason[] | undefined;
  readonly released?: ReleasedCall | undefined;
  /** Another turn took over the step: a call that it released belongs to that turn's client. */
  readonly elsewhere?: boolean;
  /** The run ends here, whatever the step's status. */
  readonly end?: RunEnd | undefined;
}

/** Reads what may have changed. A succeeded step never changes, so its long result is not read again. */
export async function refresh(run: PlanRun): Promise<StoredPlan> {
  const { plan, deps } = run;
  const succeeded = plan.steps.filter(({ status }) => status === "succeeded").map(({ id }) => id);
  const progress = await deps.guard.plans.progress(plan.id, succeeded);
  if (!progress) throw new Error("the plan no longer exists");
  const changed = new Map(progress.steps.map((step) => [step.id, step]));
  const steps = plan.steps.map((step) => ({ ...step, ...changed.get(step.id) }));
  run.plan = { ...plan, status: progress.status, steps };
  return run.plan;
}

export function stepOf(plan: StoredPlan, id: string): StoredStep {
  const step = plan.steps.find((one) => one.id === id);
  if (!step) throw new Error("the plan has no such step");
  return step;
}
