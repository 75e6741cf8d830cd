/** `POST /v1/plans`: asks the planning model for a plan, with the tools that the user could use now, and stores the result. */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import type { Detection } from "../../intent/detection.ts";
import { whenAborted } from "../../lib/deadline.ts";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import { type PlanTools, planToolsOf } from "../../plan/plan.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type UsableTool, usableTools } from "../../policy/usable-tools.ts";
import { MAX_PLAN_BYTES, type NewPlan, type StoredPlan } from "../../ports/plans-port.ts";
import { joinTools } from "../../turn/turn.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { readLargeBody } from "../large-body.ts";
import { namePolicy } from "../load-policy.ts";
import { badRequest, conflict, internal, type Problem, tooLarge } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { checkMode } from "../surface/turn-headers.ts";
import { clientUpstreamKey, upstreamHeaders } from "../surface/upstream-headers.ts";
import { activeConnections } from "../user/linked-connections.ts";
import { type EventReply, gatheredEvents, streamedEvents } from "./event-reply.ts";
import { loadPlanContext, type PlanContext, plansForbidden, previewPlan } from "./plan-context.ts";
import { refusalProblem } from "./plan-problems.ts";
import { type CreatePlanRequest, readCreatePlan } from "./plan-requests.ts";
import { planView } from "./plan-view.ts";

export async function createPlan(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readLargeBody(c, deps);
  if (!body.ok) return body;
  const request = readCreatePlan(body.value);
  if (!request.ok) return request;
  const context = await loadPlanContext(deps, c.var.principal, c.var.watch);
  if (!context.ok) return context;
  const ready = await readyToPlan(c.req.raw, deps, context.value, request.value);
  if (!ready.ok) return ready;
  const id = newId("plan", deps.now());
  const gone = new AbortController();
  const leave = () => gone.abort();
  whenAborted(c.req.raw.signal, leave);
  const reply = replyFor(deps, request.value, id, leave);
  const done = reportPlan(deps, context.value, { ...ready.value, id, signal: gone.signal }, reply);
  c.var.bodyLease?.outlives(done);
  c.executionCtx.waitUntil(done);
  return ok(namePolicy(await reply.response, context.value.served));
}

interface PlanningInputs {
  readonly request: CreatePlanRequest;
  readonly mode: string | undefined;
  readonly tools: PlanTools;
  readonly connections: readonly string[];
  /** For the planning model. */
  readonly headers: Readonly<Record<string, string>>;
}

async function readyToPlan(
  { headers, signal }: Request,
  deps: Deps,
  context: PlanContext,
  request: CreatePlanRequest,
): Promise<Result<PlanningInputs, Problem>> {
  const { policy, principal } = context;
  const inHeader = headers.get("x-toolgate-mode") ?? undefined;
  const mode = request.mode ?? inHeader;
  const named = request.mode === undefined ? "x-toolgate-mode" : "mode";
  const problem =
    plansForbidden(context) ?? (mode === undefined ? undefined : checkMode(mode, policy, principal, named));
  if (problem) return err(problem);
  if (inHeader !== undefined && inHeader !== mode)
    return err(badRequest("mode", "the body and the header `x-toolgate-mode` name two modes: send one of them"));
  const key = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!key.ok) return key;
  const sent = { ...upstreamHeaders(headers, deps.passHeaders), ...key.value };
  const tools = await planningTools(deps, context, { request, mode, headers: sent, signal });
  return tools.ok ? ok({ request, mode, ...tools.value, headers: sent }) : tools;
}

function replyFor(deps: Deps, { stream }: CreatePlanRequest, id: string, onGone: () => void): EventReply {
  const common = { plan_id: id };
  if (stream) return streamedEvents(common, new Headers(), onGone, deps.replyTimeouts);
  return gatheredEvents(common, new Headers(), ([event]) => ({ body: event?.plan, status: 201 }));
}

interface PlanCreation extends PlanningInputs {
  readonly id: string;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/** Never rejects. A plan is not stored once the client has gone. */
async function reportPlan(deps: Deps, context: PlanContext, planning: PlanCreation, reply: EventReply): Promise<void> {
  const made = await makeAndStore(deps, context, planning).catch((error: unknown) => {
    log("error", "plan_not_made", describeError(error));
    return err(internal());
  });
  if (!made.ok) {
    const { status, message, type, code, param = null } = made.error;
    return reply.end({ status, error: { message, type, code, param } });
  }
  reply.send(made.value);
  await reply.end();
}

async function makeAndStore(
  deps: Deps,
  context: PlanContext,
  planning: PlanCreation,
): Promise<Result<{ readonly type: string; readonly plan: JsonObject }, Problem>> {
  const { id, request, signal } = planning;
  const { principal, policy, managed } = context;
  const { aborted, ...planned } = await deps.planner({
    input: request.input,
    tools: planning.tools,
    connections: planning.connections,
    maxSteps: policy.plans.maxSteps,
    modelRequest: { model: request.model === "" ? undefined : request.model, headers: planning.headers },
    work: context.work,
    signal,
  });
  if (aborted || signal.aborted) return err(conflict("plan_abandoned", "the client went away before there was a plan"));
  const plan: NewPlan = {
    id,
    session: id,
    mode: planning.mode,
    input: request.input,
    model: request.model,
    // Only the tools that a step calls belong to the plan.
    tools: request.wire.filter((_, index) => planned.steps.some(({ tool }) => tool === request.tools[index]?.name)),
    ...planned,
    policy: policy.version,
    role: principal.role,
    keepMs: policy.plans.keepFor,
  };
  const kept = await storePlan(deps, context, plan);
  if (!kept.ok) return kept;
  // Without a preview the plan is stored too.
  const outlook = await previewPlan(deps, context, kept.value);
  const seen = { policy, managed: managed.names, previews: outlook.ok ? outlook.value.previews : undefined };
  return ok({ type: planned.fault ? "planning_error" : "plan_generated", plan: planView(kept.value, seen) });
}

async function storePlan(deps: Deps, { principal }: PlanContext, plan: NewPlan): Promise<Result<StoredPlan, Problem>> {
  if (utf8Bytes(JSON.stringify(plan)) > MAX_PLAN_BYTES)
    return err(tooLarge("the plan, with the definitions of its tools,", MAX_PLAN_BYTES));
  const { tenant, user } = principal;
  const saved = await orUnavailable(deps.guardOf(principal).plans.save({ tenant, user }, plan));
  if (!saved.ok) return saved;
  return saved.value.ok ? ok(saved.value.plan) : err(refusalProblem(saved.value.refusal, undefined, deps.now()));
}

interface PlanningRequest {
  readonly request: CreatePlanRequest;
  readonly mode: string | undefined;
  /** For a layer of detection that asks a model. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function planningTools(
  deps: Deps,
  { principal, policy, managed, work }: PlanContext,
  { request, mode = "default", headers, signal }: PlanningRequest,
): Promise<Result<{ readonly tools: PlanTools; readonly connections: readonly string[] }, Problem>> {
  const { handshake } = policy;
  if (handshake.select !== "off" && request.tools.some(({ name }) => name === handshake.tool)) {
    const message = `\`${handshake.tool}\` is the gateway's own tool: give yours another name`;
    return err(badRequest("tools", message, "reserved_tool_name"));
  }
  const requester = { model: request.model === "" ? undefined : request.model, headers };
  const [linked, detection] = await Promise.all([
    activeConnections(principal, deps),
    deps.detector.detect(policy, { text: request.input }, signal, requester),
  ]);
  if (!linked.ok) return linked;
  const connections = [...new Set([...principal.connections, ...linked.value.map(({ provider }) => provider)])];
  const { all, changed } = joinTools(request.tools, managed);
  const changedDefinitions = new Set([...changed, ...managed.changed]);
  const now = deps.now();
  const { usable } = usableTools(
    policy,
    { principal: { ...principal, connections }, modes: [mode], now, changedDefinitions, noForcedTool: true, work },
    all,
  );
  return ok({ tools: planToolsOf(narrowed(policy, usable, detection)), connections });
}

/** If the user's words clearly ask for something, only the tools for it: the others would be refused when the plan runs. */
function narrowed(
  policy: CompiledPolicy,
  usable: readonly UsableTool[],
  { intents, selectAt }: Detection,
): readonly UsableTool[] {
  const sure = intents.filter(
    ({ name, confidence, layer }) => layer !== "fallback" && confidence >= selectAt && policy.intents.has(name),
  );
  if (sure.length === 0) return usable;
  return usable.filter(({ intents: permitting }) => !permitting || sure.some(({ name }) => permitting.includes(name)));
}
