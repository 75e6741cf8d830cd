/** `POST /v1/plans/:id/run`: runs a plan from where it stands, as one turn. */
import type { Context } from "hono";
import { approvalView } from "../../approvals/approval-view.ts";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { ClientResult } from "../../turn/plan-run/open-run.ts";
import type { PlanEvent } from "../../turn/plan-run/plan-event.ts";
import { runPlan } from "../../turn/plan-run/run-plan.ts";
import type { KeptPlan } from "../../turn/plans-port.ts";
import type { AppEnv } from "../app-env.ts";
import { namePolicy } from "../policy-header.ts";
import { badRequest, type Problem, problemResponse } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import { readBody } from "../request-body.ts";
import { checkMode, readChannel, upstreamHeaders } from "../turn-headers.ts";
import { clientUpstreamKey } from "../upstream-key.ts";
import { type EventReply, type Failed, gatheredEvents, type PlanEventData, streamedEvents } from "./event-reply.ts";
import { readTools } from "./plan-asked.ts";
import { refusalProblem, valuesProblem } from "./plan-problems.ts";
import { type PlanSeen, planView, stepView } from "./plan-view.ts";
import { findPlan, type PlanWorld, plansForbidden, planWorld } from "./plan-world.ts";
import { type RunAsked, readRunAsked } from "./run-asked.ts";

export async function postRun(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const { principal, watch } = c.var;
  const body = await readBody(c.req.raw, deps.limits.maxBodyBytes);
  if (!body.ok) return problemResponse(body.error);
  const asked = readRunAsked(body.value);
  if (!asked.ok) return problemResponse(asked.error);
  const found = await findPlan(deps, principal, c.req.param("id") ?? "");
  if (!found.ok) return problemResponse(found.error);
  const world = await planWorld(deps, principal, watch);
  if (!world.ok) return problemResponse(world.error);
  const ready = await readyToRun(c.req.raw, deps, world.value, found.value, asked.value);
  if (!ready.ok) return problemResponse(ready.error);
  const id = newId("turn", deps.now());
  const begun = await reachGuard(
    deps.guardOf(principal).beginPlan({
      id: found.value.id,
      turn: id,
      values: asked.value.values,
      repeatUnknown: asked.value.repeatUnknown,
    }),
  );
  if (!begun.ok) return problemResponse(begun.error);
  if (!begun.value.ok) return problemResponse(refusalProblem(begun.value.refusal));
  return begin(c, deps, world.value, { ...ready.value, id, plan: begun.value.plan, stream: asked.value.stream });
}

interface Ready {
  readonly results: readonly ClientResult[];
  readonly channel: "hold" | "native";
  readonly headers: Readonly<Record<string, string>>;
}

/** What can be told to be wrong before anything is begun. */
async function readyToRun(
  { headers }: Request,
  deps: Deps,
  world: PlanWorld,
  plan: KeptPlan,
  asked: RunAsked,
): Promise<Result<Ready, Problem>> {
  const { policy, principal } = world;
  const over = plan.status === "finished" || plan.status === "cancelled" || plan.status === "empty";
  const problem =
    plansForbidden(world) ??
    (over ? refusalProblem("ended") : undefined) ??
    (plan.mode === undefined ? undefined : checkMode(plan.mode, policy, principal)) ??
    otherMode(headers.get("x-toolgate-mode"), plan) ??
    valuesProblem(plan, asked.values, placeholdersDue(plan));
  if (problem) return err(problem);
  const channel = readChannel(headers.get("x-toolgate-approvals"), policy);
  if (!channel.ok) return channel;
  const key = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!key.ok) return key;
  const results = await matchResults(deps, world, plan, asked);
  if (!results.ok) return results;
  return ok({
    results: results.value,
    // There is no chat to answer in.
    channel: channel.value === "hold" ? "hold" : "native",
    headers: { ...upstreamHeaders(headers), ...key.value },
  });
}

function otherMode(asked: string | null, { mode = "default" }: KeptPlan): Problem | undefined {
  if (asked === null || asked === mode) return undefined;
  return badRequest(
    "x-toolgate-mode",
    `the plan was made in the mode \`${mode}\`, and runs in it: leave the header out`,
  );
}

/** Those of steps that are done are needed no more. */
function placeholdersDue({ placeholders, steps }: KeptPlan) {
  const open = new Set(steps.filter(({ status }) => status !== "succeeded").map(({ id }) => id));
  return placeholders.filter(({ places }) => places.some(({ step }) => open.has(step)));
}

/** Only of calls that the plan has released, and that nobody has brought a result of. */
async function matchResults(
  deps: Deps,
  { principal }: PlanWorld,
  plan: KeptPlan,
  { results }: RunAsked,
): Promise<Result<readonly ClientResult[], Problem>> {
  if (results.length === 0) return ok([]);
  const guard = deps.guardOf(principal);
  const released = plan.steps.flatMap(({ status, decision }) => (status === "released" && decision ? [decision] : []));
  const calls = await reachGuard(Promise.all(released.map((decision) => guard.call(decision))));
  if (!calls.ok) return calls;
  const matched: ClientResult[] = [];
  for (const [index, { callId, text, isError }] of results.entries()) {
    const call = calls.value.find((one) => one?.callId === callId);
    if (!call) {
      const message = `\`${callId.slice(0, 64)}\` is no call of this plan that waits for its result`;
      return err(badRequest(`results[${index}]`, message, "call_unknown"));
    }
    matched.push({ callId, tool: call.tool, text, isError });
  }
  return ok(matched);
}

interface Begun extends Ready {
  readonly id: string;
  readonly plan: KeptPlan;
  readonly stream: boolean;
}

async function begin(c: Context<AppEnv>, deps: Deps, world: PlanWorld, begun: Begun): Promise<Response> {
  const { id, plan, results, channel, headers } = begun;
  const { principal, policy, managed } = world;
  const gone = new AbortController();
  const leave = () => gone.abort();
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  const reply = replyFor(deps, begun, leave);
  const tell = toldBy(reply, plan, { policy, managed: managed.names });
  const { watch } = c.var;
  watch.turnBegan(id, plan.model);
  const run = { id, principal, policy, managed, plan, tools: readTools(plan.tools), results, channel, headers };
  const parts = { model: deps.model, detector: deps.detector, tools: deps.tools, now: deps.now, watch };
  tell.event({ type: "plan_generated", plan });
  const done = runPlan({ ...parts, guard: deps.guardOf(principal) }, { ...run, gone: gone.signal }, tell.event);
  c.executionCtx.waitUntil(done.then(tell.end));
  const response = await reply.response;
  return namePolicy(response, world.served);
}

function replyFor(deps: Deps, { id, plan, stream }: Begun, onGone: () => void): EventReply {
  const common = { plan_id: plan.id, turn_id: id };
  const headers = new Headers({ "x-toolgate-turn": id, "x-toolgate-session": encodeURIComponent(plan.session) });
  if (stream) return streamedEvents(common, headers, onGone, deps.replyPace);
  return gatheredEvents(common, headers, (events) => {
    const last = events.findLast((event) => event.plan !== undefined);
    return { body: { object: "plan.run", ...common, events, plan: last?.plan } };
  });
}

/** The run's events in the form in which they are told. */
function toldBy(reply: EventReply, plan: KeptPlan, seen: PlanSeen) {
  let failed: Failed | undefined;
  return {
    event(event: PlanEvent): void {
      if (event.type === "error") failed = { status: event.status, error: event.error };
      else reply.tell(eventData(event, plan, seen));
    },
    end: () => reply.end(failed),
  };
}

function eventData(event: Exclude<PlanEvent, { type: "error" }>, plan: KeptPlan, seen: PlanSeen): PlanEventData {
  const { type } = event;
  if (type === "plan_paused") return { type, waits_for: event.waitsFor, plan: planView(event.plan, seen) };
  if (type === "plan_generated" || type === "plan_finished") return { type, plan: planView(event.plan, seen) };
  const step = stepView(event.step, plan, seen);
  switch (type) {
    case "approval_required":
      return { type, step, approval: approvalView(event.approval) };
    case "call_released": {
      const { id, tool, arguments: args } = event.call;
      return { type, step, tool_call: { id, type: "function", function: { name: tool, arguments: args } } };
    }
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
