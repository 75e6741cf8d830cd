/** `POST /v1/plans/:id/run`: runs a plan from where it stands, as one turn. */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { err, ok } from "../../lib/result.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import { runPlan } from "../../turn/plan-run/run-plan.ts";
import type { AppEnv } from "../app-env.ts";
import { readLargeBody } from "../chat/large-body.ts";
import { ceilingsOf } from "../chat/turn-headers.ts";
import type { HandlerResult } from "../handler.ts";
import { namePolicy } from "../policy-header.ts";
import { reachGuard } from "../reach.ts";
import { type EventReply, gatheredEvents, streamedEvents } from "./event-reply.ts";
import { refusalProblem } from "./plan-problems.ts";
import { findPlan, type PlanWorld, planWorld } from "./plan-world.ts";
import { type ReadyToRun, readyToRun } from "./ready-to-run.ts";
import { readRunAsked } from "./run-asked.ts";
import { tellRun } from "./told-run.ts";

export async function postRun(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal, watch } = c.var;
  const body = await readLargeBody(c, deps);
  if (!body.ok) return body;
  const asked = readRunAsked(body.value);
  if (!asked.ok) return asked;
  const found = await findPlan(deps, principal, c.req.param("id") ?? "");
  if (!found.ok) return found;
  const world = await planWorld(deps, principal, watch);
  if (!world.ok) return world;
  const ready = await readyToRun(c.req.raw, deps, world.value, found.value, asked.value);
  if (!ready.ok) return ready;
  const id = newId("turn", deps.now());
  const begun = await reachGuard(
    deps.guardOf(principal).plans.begin({
      id: found.value.id,
      turn: id,
      values: asked.value.values,
      repeatUnknown: asked.value.repeatUnknown,
    }),
  );
  if (!begun.ok) return begun;
  if (!begun.value.ok) return err(refusalProblem(begun.value.refusal, begun.value.plan, deps.now()));
  return ok(begin(c, deps, world.value, { ...ready.value, id, plan: begun.value.plan, stream: asked.value.stream }));
}

interface Begun extends ReadyToRun {
  readonly id: string;
  readonly plan: KeptPlan;
  readonly stream: boolean;
}

async function begin(c: Context<AppEnv>, deps: Deps, world: PlanWorld, begun: Begun): Promise<Response> {
  const { id, plan, tools, results, channel, headers } = begun;
  const { principal, policy, managed, work } = world;
  const gone = new AbortController();
  const leave = () => gone.abort();
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  const reply = replyFor(deps, begun, leave);
  const { watch } = c.var;
  watch.turnBegan(id, plan.model);
  const { model, detector, now } = deps;
  const ceilings = ceilingsOf(deps.limits);
  const parts = { model, detector, now, watch, tools: deps.tools, guard: deps.guardOf(principal) };
  const bounds = { work, ceilings, gone: gone.signal };
  const run = { id, principal, policy, managed, plan, tools, results, channel, headers, ...bounds };
  const seen = { policy, managed: managed.names };
  const done = tellRun(reply, plan, seen, (tell) => runPlan(parts, run, tell));
  c.var.bodyLease?.outlives(done);
  c.executionCtx.waitUntil(done);
  return namePolicy(await reply.response, world.served);
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
