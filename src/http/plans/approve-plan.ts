/**
 * `POST /v1/plans/:id/approve`: a person's yes to a plan as a whole, bound to the plan as it was shown. Whoever's plan it is
 * approves it: its steps are made in that user's name, and of what they touch nobody else has seen anything.
 */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { planDigest } from "../../plan/plan.ts";
import type { KeptPlan, PlanApproval } from "../../ports/plans-port.ts";
import type { AppEnv } from "../app-env.ts";
import { checkMode } from "../chat/turn-headers.ts";
import type { HandlerResult } from "../handler.ts";
import { namePolicy } from "../load-policy.ts";
import { forbidden, type Problem } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import { readBody } from "../request-limits.ts";
import { findPlan, outlookOf, type PlanWorld, plansForbidden, planWorld } from "./plan-context.ts";
import { foreseenProblem, refusalProblem, valuesProblem } from "./plan-problems.ts";
import { planView } from "./plan-view.ts";
import { type ApproveAsked, readApproveAsked } from "./run-asked.ts";

export async function approvePlan(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const body = await readBody(c.req.raw, deps.limits.maxSmallBodyBytes);
  if (!body.ok) return body;
  const asked = readApproveAsked(body.value);
  if (!asked.ok) return asked;
  const found = await findPlan(deps, principal, c.req.param("id") ?? "");
  if (!found.ok) return found;
  const world = await planWorld(deps, principal, c.var.watch);
  if (!world.ok) return world;
  const problem = objection(world.value, found.value, asked.value, deps.now());
  if (problem) return err(problem);
  const approved = await approve(deps, world.value, found.value, asked.value);
  return approved.ok ? ok(namePolicy(Response.json(approved.value), world.value.served)) : approved;
}

function objection(
  world: PlanWorld,
  plan: KeptPlan,
  { digest, values }: ApproveAsked,
  now: number,
): Problem | undefined {
  const { policy, principal } = world;
  const forbids = plansForbidden(world);
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
  // What is filled in with the yes is the person's own; all else must be as they saw it.
  if (planDigest(plan, policy.version) !== digest) return refusalProblem("changed", plan, now);
  return valuesProblem(plan, values, world.work);
}

async function approve(
  deps: Deps,
  world: PlanWorld,
  found: KeptPlan,
  { values }: ApproveAsked,
): Promise<Result<unknown, Problem>> {
  const { principal, policy, managed } = world;
  const plan = { ...found, values: { ...found.values, ...values } };
  const outlook = await outlookOf(deps, world, plan);
  if (!outlook.ok) return outlook;
  const { foreseen } = outlook.value;
  const refused = foreseenProblem(foreseen);
  if (refused) return err(refused);
  const approval: PlanApproval = {
    digest: planDigest(plan, policy.version),
    policy: policy.version,
    steps: Object.fromEntries([...foreseen].map(([step, { digest }]) => [step, digest])),
    via: "api",
    by: principal.user,
    at: deps.now(),
  };
  const taken = await reachGuard(deps.guardOf(principal).plans.approve(plan.id, approval, values));
  if (!taken.ok) return taken;
  if (!taken.value.ok) return err(refusalProblem(taken.value.refusal, taken.value.plan, deps.now()));
  return ok(planView(taken.value.plan, { policy, managed: managed.names, foreseen }));
}
