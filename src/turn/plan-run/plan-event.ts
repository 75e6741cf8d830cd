/** What a run of a plan tells as it goes on, to whoever shows it. */
import type { Approval } from "../../approvals/approval.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { KeptPlan, KeptStep } from "../../ports/plans-port.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";

/** `approval`: a person. `client`: the results of calls that it runs. */
export type WaitsFor = "approval" | "client";

export type PlanEvent =
  /** The first of each run: the plan as it stands. */
  | { readonly type: "plan_generated"; readonly plan: KeptPlan }
  | { readonly type: "step_started"; readonly step: KeptStep }
  | { readonly type: "approval_required"; readonly step: KeptStep; readonly approval: Approval }
  /** The client is to run it, and to bring the result with the next run. */
  | { readonly type: "call_released"; readonly step: KeptStep; readonly call: ReleasedCall }
  | { readonly type: "step_finished"; readonly step: KeptStep }
  | { readonly type: "step_failed"; readonly step: KeptStep; readonly reasons: readonly Reason[] }
  /** Of these one is the last. */
  | { readonly type: "plan_paused"; readonly plan: KeptPlan; readonly waitsFor: WaitsFor }
  /** Finished, failed or cancelled: its status tells. */
  | { readonly type: "plan_finished"; readonly plan: KeptPlan }
  /** OpenAI's error object. The plan can be run again, and goes on from where it is. */
  | { readonly type: "error"; readonly status: number; readonly error: unknown };

export type TellEvent = (event: PlanEvent) => void;
