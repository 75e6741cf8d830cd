/** `POST /v1/plans/:id/run`: runs a plan from its current step, as one turn. */

import type { Context } from "hono";
import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
import type { Deps } from "../../deps.ts";
import { whenAborted } from "../../lib/deadline.ts";
import { newId } from "../../lib/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { StoredPlan } from "../../ports/plans-port.ts";
import type { ClientResult } from "../../turn/plan-run/open-run.ts";
import type { EmitEvent, PlanEvent } from "../../turn/plan-run/plan-run.ts";
import { runPlan } from "../../turn/plan-run/run-plan.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { readLargeBody } from "../large-body.ts";
import { namePolicy } from "../load-policy.ts";
import { badRequest, conflict, internal, type Problem } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { ceilingsOf, checkMode, readChannel } from "../surface/turn-headers.ts";
import { clientUpstreamKey, upstreamHeaders } from "../surface/upstream-headers.ts";
import {
  type EventFailure,
  type EventReply,
  gatheredEvents,
  type PlanEventData,
  streamedEvents,
} from "./event-reply.ts";
import { findPlan, loadPlanContext, type PlanContext, plansForbidden } from "./plan-context.ts";
import { refusalProblem, valuesProblem } from "./plan-problems.ts";
import { type RunPlanRequest, readRunPlan, readStoredTools } from "./plan-requests.ts";
import { callView, type PlanViewContext, planView, stepView } from "./plan-view.ts";

export async function postRun(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal, watch } = c.var;
  const body = await readLargeBody(c, deps);
  if (!body.ok) return body;
  const request = readRunPlan(body.value);
  if (!request.ok) return request;
  const found = await findPlan(deps, principal, c.req.param("id") ?? "");
  if (!found.ok) return found;
  const context = await loadPlanContext(deps, principal, watch);
  if (!context.ok) return context;
  const ready = await readyToRun(c.req.raw, deps, context.value, found.value, request.value);
  if (!ready.ok) return ready;
  const id = newId("turn", deps.now());
  const begun = await orUnavailable(
    deps.guardOf(principal).plans.begin({
      id: found.value.id,
      turn: id,
      values: request.value.values,
      repeatUnknown: request.value.repeatUnknown,
    }),
  );
  if (!begun.ok) return begun;
  if (!begun.value.ok) return err(refusalProblem(begun.value.refusal, begun.value.plan, deps.now()));
  return ok(
    await begin(c, deps, context.value, { ...ready.value, id, plan: begun.value.plan, stream: request.value.stream }),
  );
}

interface BegunRun extends ReadyToRun {
  readonly id: string;
  readonly plan: StoredPlan;
  readonly stream: boolean;
}

async function begin(c: Context<AppEnv>, deps: Deps, context: PlanContext, begun: BegunRun): Promise<Response> {
  const { id, plan, tools, results, channel, headers } = begun;
  const { principal, policy, managed, work } = context;
  const gone = new AbortController();
  const leave = () => gone.abort();
  whenAborted(c.req.raw.signal, leave);
  const reply = replyFor(deps, begun, leave);
  const { watch } = c.var;
  watch.turnBegan(id, plan.model);
  const { model, detector, now } = deps;
  const ceilings = ceilingsOf(deps.limits);
  const parts = { model, detector, now, observer: watch, tools: deps.tools, guard: deps.guardOf(principal) };
  const bounds = { work, ceilings, gone: gone.signal };
  const run = { id, principal, policy, managed, plan, tools, results, channel, headers, ...bounds };
  const seen = { policy, managed: managed.names };
  const done = reportRun(reply, plan, seen, (emit) => runPlan(parts, run, emit));
  c.var.bodyLease?.outlives(done);
  c.executionCtx.waitUntil(done);
  return namePolicy(await reply.response, context.served);
}

function replyFor(deps: Deps, { id, plan, stream }: BegunRun, onGone: () => void): EventReply {
  const common = { plan_id: plan.id, turn_id: id };
  const headers = new Headers({ "x-toolgate-turn": id, "x-toolgate-session": encodeURIComponent(plan.session) });
  if (stream) return streamedEvents(common, headers, onGone, deps.replyTimeouts);
  return gatheredEvents(common, headers, (events) => {
    const last = events.findLast((event) => event.plan !== undefined);
    return { body: { object: "plan.run", ...common, events, plan: last?.plan } };
  });
}

interface ReadyToRun {
  readonly results: readonly ClientResult[];
  readonly channel: "hold" | "native";
  /** The client's, as they were sent with the request for the plan. */
  readonly tools: readonly ToolDefinition[];
  readonly headers: Readonly<Record<string, string>>;
}

async function readyToRun(
  { headers }: Request,
  deps: Deps,
  context: PlanContext,
  plan: StoredPlan,
  request: RunPlanRequest,
): Promise<Result<ReadyToRun, Problem>> {
  const { policy, principal } = context;
  const over = plan.status === "finished" || plan.status === "cancelled" || plan.status === "empty";
  const problem =
    plansForbidden(context) ??
    (over ? refusalProblem("ended", plan, deps.now()) : undefined) ??
    (plan.mode === undefined ? undefined : checkMode(plan.mode, policy, principal)) ??
    otherMode(headers.get("x-toolgate-mode"), plan) ??
    valuesProblem(plan, request.values, context.work);
  if (problem) return err(problem);
  const channel = readChannel(headers.get("x-toolgate-approvals"), policy);
  if (!channel.ok) return channel;
  const key = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!key.ok) return key;
  const results = await matchResults(deps, context, plan, request);
  if (!results.ok) return results;
  return ok({
    results: results.value,
    tools: readStoredTools(plan.tools),
    // There is no chat to answer in.
    channel: channel.value === "hold" ? "hold" : "native",
    headers: { ...upstreamHeaders(headers, deps.passHeaders), ...key.value },
  });
}

function otherMode(sent: string | null, { mode = "default" }: StoredPlan): Problem | undefined {
  if (sent === null || sent === mode) return undefined;
  return badRequest(
    "x-toolgate-mode",
    `the plan was made in the mode \`${mode}\`, and runs in it: leave the header out`,
  );
}

/** Results of calls that the plan has released. A result that is sent again, because a reply was lost, changes nothing. */
async function matchResults(
  deps: Deps,
  { principal, managed }: PlanContext,
  plan: StoredPlan,
  { results }: RunPlanRequest,
): Promise<Result<readonly ClientResult[], Problem>> {
  if (results.length === 0) return ok([]);
  const guard = deps.guardOf(principal);
  const steps = plan.steps.filter(
    ({ status, tool }) => status === "released" || (status === "succeeded" && !managed.names.has(tool)),
  );
  const calls = await orUnavailable(
    Promise.all(steps.map(({ decision }) => (decision === null ? undefined : guard.calls.find(decision)))),
  );
  if (!calls.ok) return calls;
  const matched: ClientResult[] = [];
  for (const [index, { callId, text, isError }] of results.entries()) {
    const at = calls.value.findIndex((one) => one?.callId === callId);
    const [call, step] = [calls.value[at], steps[at]];
    const shown = `\`${callId.slice(0, 64)}\``;
    if (!call || !step) {
      const message = `${shown} is not a call of this plan that was released and has not failed: send results of the calls in \`call_released\` only`;
      return err(badRequest(`results[${index}]`, message, "call_unknown"));
    }
    if (step.status === "released") matched.push({ callId, tool: call.tool, text, isError });
    else if (isError || step.result !== text) {
      const message = `${shown} has succeeded, and its result stays as it is: run the plan without another, or make another plan`;
      return err({ ...conflict("result_used", message), param: `results[${index}]` });
    }
  }
  return ok(matched);
}

/**
 * Sends the events of the run as they happen, and ends the reply. Never rejects.
 * @param run emits the events; if it rejects, the reply ends with an error.
 */
async function reportRun(
  reply: EventReply,
  plan: StoredPlan,
  seen: PlanViewContext,
  run: (emit: EmitEvent) => Promise<void>,
): Promise<void> {
  let failed: EventFailure | undefined;
  const open = { calls: new Map<string, ReleasedCall>(), approvals: new Map<string, Approval>() };
  const emit = (event: PlanEvent): void => {
    if (event.type === "error") failed = { status: event.status, error: event.error };
    else {
      if (event.type === "call_released") open.calls.set(event.step.id, event.call);
      if (event.type === "approval_required") open.approvals.set(event.step.id, event.approval);
      reply.send(eventData(event, plan, { ...seen, open }));
    }
  };
  try {
    emit({ type: "plan_generated", plan });
    await run(emit);
  } catch (error) {
    log("error", "plan_event_not_sent", { plan: plan.id, ...describeError(error) });
    const { status, message, type, code } = internal();
    failed ??= { status, error: { message, type, code, param: null } };
  }
  await reply.end(failed);
}

function eventData(
  event: Exclude<PlanEvent, { type: "error" }>,
  plan: StoredPlan,
  seen: PlanViewContext,
): PlanEventData {
  const { type } = event;
  if (type === "plan_paused") return { type, waits_for: event.waitsFor, plan: planView(event.plan, seen) };
  if (type === "plan_generated" || type === "plan_finished") return { type, plan: planView(event.plan, seen) };
  // The stored step changes a moment later.
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
