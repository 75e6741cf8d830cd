/** `/v1/plans`: a user's plans. Another user's are unknown. */

import type { Context, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { PlanStatus } from "../../ports/plans-port.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { listBody, unknownCursor } from "../list-body.ts";
import { namePolicy } from "../load-policy.ts";
import { limit, order, type Parameter, readParams, text } from "../query-params.ts";
import { orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { approvePlan } from "./approve-plan.ts";
import { createPlan } from "./create-plan.ts";
import { findOpenParts, findPlan, loadPlanContext, previewPlan } from "./plan-context.ts";
import { refusalProblem } from "./plan-problems.ts";
import { cancelPlanBody } from "./plan-requests.ts";
import { planView } from "./plan-view.ts";
import { postRun } from "./run-plan.ts";

/** To be mounted at `/v1/plans`, behind the middleware that sets `principal`. */
export function planRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, {
    "GET /": listPlans,
    "POST /": createPlan,
    "GET /:id": getPlan,
    "POST /:id/approve": approvePlan,
    "POST /:id/cancel": cancelPlan,
    "POST /:id/run": postRun,
  });
}

const statuses: readonly PlanStatus[] = ["empty", "ready", "running", "paused", "failed", "finished", "cancelled"];
const status: Parameter<PlanStatus> = {
  read: (value) => statuses.find((one) => one === value),
  accepts: `one of ${statuses.map((one) => `\`${one}\``).join(", ")}`,
};

async function listPlans(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const query = readParams(c.req, { limit, order, after: text, status });
  if (!query.ok) return query;
  const context = await loadPlanContext(deps, principal);
  if (!context.ok) return context;
  const { after } = query.value;
  if (after !== undefined) {
    const cursor = await findPlan(deps, principal, after);
    if (!cursor.ok && cursor.error.status === 404) return err(unknownCursor("a plan"));
    if (!cursor.ok) return cursor;
  }
  const page = await orUnavailable(deps.guardOf(principal).plans.list(query.value));
  if (!page.ok) return page;
  const { data, hasMore } = page.value;
  const seen = { policy: context.value.policy, managed: context.value.managed.names };
  return ok(
    listBody(
      data.map((plan) => planView(plan, seen)),
      hasMore,
    ),
  );
}

async function getPlan(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const query = readParams(c.req, {});
  if (!query.ok) return query;
  const found = await findPlan(deps, principal, c.req.param("id") ?? "");
  if (!found.ok) return found;
  const context = await loadPlanContext(deps, principal);
  if (!context.ok) return context;
  const outlook = await previewPlan(deps, context.value, found.value);
  if (!outlook.ok) return outlook;
  const open = await findOpenParts(deps, context.value, found.value, outlook.value.turn);
  if (!open.ok) return open;
  const { policy, managed, served } = context.value;
  const { previews } = outlook.value;
  const view = planView(found.value, { policy, managed: managed.names, previews, open: open.value });
  return ok(namePolicy(Response.json(view), served));
}

/** Running calls run to their end. */
async function cancelPlan(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, cancelPlanBody);
  if (!body.ok) return body;
  const cancelled = await orUnavailable(deps.guardOf(principal).plans.cancel(c.req.param("id") ?? ""));
  if (!cancelled.ok) return cancelled;
  if (!cancelled.value.ok) return err(refusalProblem(cancelled.value.refusal, cancelled.value.plan, deps.now()));
  const context = await loadPlanContext(deps, principal);
  if (!context.ok) return context;
  const seen = { policy: context.value.policy, managed: context.value.managed.names };
  return ok(planView(cancelled.value.plan, seen));
}
