/** The events of a run, in the form in which they are told. */
import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
import { describeError, log } from "../../lib/log.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";
import type { EmitEvent, PlanEvent } from "../../turn/plan-run/plan-run.ts";
import { internal } from "../problem.ts";
import type { EventReply, Failed, PlanEventData } from "./event-reply.ts";
import { callView, type PlanSeen, planView, stepView } from "./plan-view.ts";

/**
 * Tells what the run does as it does it, and ends the reply. Never rejects.
 * @param run what is told the events; where it rejects, the reply ends with an error.
 */
export async function tellRun(
  reply: EventReply,
  plan: KeptPlan,
  seen: PlanSeen,
  run: (tell: EmitEvent) => Promise<void>,
): Promise<void> {
  let failed: Failed | undefined;
  const open = { calls: new Map<string, ReleasedCall>(), approvals: new Map<string, Approval>() };
  const tell = (event: PlanEvent): void => {
    if (event.type === "error") failed = { status: event.status, error: event.error };
    else {
      if (event.type === "call_released") open.calls.set(event.step.id, event.call);
      if (event.type === "approval_required") open.approvals.set(event.step.id, event.approval);
      reply.tell(eventData(event, plan, { ...seen, open }));
    }
  };
  try {
    tell({ type: "plan_generated", plan });
    await run(tell);
  } catch (error) {
    log("error", "plan_not_told", { plan: plan.id, ...describeError(error) });
    const { status, message, type, code } = internal();
    failed ??= { status, error: { message, type, code, param: null } };
  }
  await reply.end(failed);
}

function eventData(event: Exclude<PlanEvent, { type: "error" }>, plan: KeptPlan, seen: PlanSeen): PlanEventData {
  const { type } = event;
  if (type === "plan_paused") return { type, waits_for: event.waitsFor, plan: planView(event.plan, seen) };
  if (type === "plan_generated" || type === "plan_finished") return { type, plan: planView(event.plan, seen) };
  // What is kept of it is moved a moment later.
  const begun = type === "step_started" ? { ...event.step, status: "running" as const } : event.step;
  const step = stepView(begun, plan, seen);
  switch (type) {
    case "approval_required":
      return { type, step, approval: approvalView(event.approval, "whole") };
    case "call_released":
      return { type, step, tool_call: callView(event.call) };
    case "step_failed": {
      const reasons = event.reasons.map((reason) => ({
        code: reason.code,
        message: textForClient(reason),
        ...(reason.code === "rate_limited" ? { retry_after: Math.ceil(reason.retryAfterMs / 1000) } : {}),
      }));
      return { type, step, error: event.step.fault, reasons };
    }
    default:
      return { type, step };
  }
}
