/**
 * `POST /v1/plans/:id/approve`: a person approves a plan as a whole, bound to the plan as it was shown. Only the plan's own user
 * approves it: its steps run in that user's name, and no other user has seen what they touch.
 */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { planDigest } from "../../plan/plan.ts";
import type { PlanApproval, StoredPlan } from "../../ports/plans-port.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { namePolicy } from "../load-policy.ts";
import { forbidden, type Problem } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { checkMode } from "../surface/turn-headers.ts";
import { findPlan, loadPlanContext, type PlanContext, plansForbidden, previewPlan } from "./plan-context.ts";
import { previewProblem, refusalProblem, valuesProblem } from "./plan-problems.ts";
import { type ApprovePlanRequest, approvePlanBody } from "./plan-requests.ts";
import { planView } from "./plan-view.ts";

export async function approvePlan(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, approvePlanBody);
  if (!body.ok) return body;
  const found = await findPlan(deps, principal, c.req.param("id") ?? "");
  if (!found.ok) return found;
  const context = await loadPlanContext(deps, principal, c.var.watch);
  if (!context.ok) return context;
  const problem = objection(context.value, found.value, body.value, deps.now());
  if (problem) return err(problem);
  const approved = await approve(deps, context.value, found.value, body.value);
  return approved.ok ? ok(namePolicy(Response.json(approved.value), context.value.served)) : approved;
}

function objection(
  context: PlanContext,
  plan: StoredPlan,
  { digest, values }: ApprovePlanRequest,
  now: number,
): Problem | undefined {
  const { policy, principal } = context;
  const forbids = plansForbidden(context);
  if (forbids) return forbids;
  if (!policy.plans.approveWhole) {
    const message =
      "the policy lets no plan be approved as a whole (`plans.approveWhole`): each call is asked about when it runs";
    return forbidden("approve_whole_disabled", message);
  }
  if (plan.status === "running") return refusalProblem("running", plan, now);
  if (plan.status === "finished" || plan.status === "cancelled" || plan.status === "empty")
    return refusalProblem("ended", plan, now);
  const mode = plan.mode === undefined ? undefined : checkMode(plan.mode, policy, principal);
  if (mode) return mode;
  // Only the values that come with the approval may differ; everything else must be as the person saw it.
  if (planDigest(plan, policy.version) !== digest) return refusalProblem("changed", plan, now);
  return valuesProblem(plan, values, context.work);
}

async function approve(
  deps: Deps,
  context: PlanContext,
  found: StoredPlan,
  { values }: ApprovePlanRequest,
): Promise<Result<unknown, Problem>> {
  const { principal, policy, managed } = context;
  const plan = { ...found, values: { ...found.values, ...values } };
  const outlook = await previewPlan(deps, context, plan);
  if (!outlook.ok) return outlook;
  const { previews } = outlook.value;
  const refused = previewProblem(previews);
  if (refused) return err(refused);
  const approval: PlanApproval = {
    digest: planDigest(plan, policy.version),
    policy: policy.version,
    steps: Object.fromEntries([...previews].map(([step, { digest }]) => [step, digest])),
    via: "api",
    by: principal.user,
    at: deps.now(),
  };
  const stored = await orUnavailable(deps.guardOf(principal).plans.approve(plan.id, approval, values));
  if (!stored.ok) return stored;
  if (!stored.value.ok) return err(refusalProblem(stored.value.refusal, stored.value.plan, deps.now()));
  return ok(planView(stored.value.plan, { policy, managed: managed.names, previews }));
}
