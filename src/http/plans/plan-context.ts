/** The context of a request about plans: the policy in force, the tools that Toolgate runs, and what is still to come in a plan. */

import type { Approval } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import { missingPlaceholders } from "../../plan/placeholders.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { StoredPlan } from "../../ports/plans-port.ts";
import type { Principal } from "../../session/principal.ts";
import type { RequestWatch } from "../../telemetry/request-watch.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import type { RunInput } from "../../turn/plan-run/open-run.ts";
import { previewSteps, previewTurn, type StepPreview, withheldFor } from "../../turn/plan-run/preview-steps.ts";
import type { Turn } from "../../turn/turn.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import { loadServedPolicy, type ServedPolicy } from "../load-policy.ts";
import { forbidden, type Problem } from "../problem.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { activeConnections } from "../user/linked-connections.ts";
import { readStoredTools } from "./plan-requests.ts";

export interface PlanContext {
  readonly served: ServedPolicy;
  readonly principal: Principal;
  /** With the tools of MCP servers. */
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools;
  /** The budget for all checking of the request. */
  readonly work: WorkBudget;
}

export async function loadPlanContext(
  deps: Deps,
  principal: Principal,
  watch?: RequestWatch,
): Promise<Result<PlanContext, Problem>> {
  const served = await loadServedPolicy(deps, principal.tenant, watch);
  if (!served.ok) return served;
  const managed = await deps.tools.managed(served.value.policy, principal);
  return ok({ served: served.value, principal, policy: managed.policy, managed, work: workBudget() });
}

/** If the policy permits no plans, none is made or run; existing ones can be read and cancelled. */
export const plansForbidden = ({ policy }: PlanContext): Problem | undefined =>
  policy.plans.enabled ? undefined : forbidden("plans_disabled", "the policy permits no plans (`plans.enabled`)");

/** Another user's plan is unknown. */
export async function findPlan(deps: Deps, principal: Principal, id: string): Promise<Result<StoredPlan, Problem>> {
  return orNotFound(deps.guardOf(principal).plans.find(id), "plan", "id");
}

interface PlanPreview {
  /** By step, for those that are still to come. */
  readonly previews: ReadonlyMap<string, StepPreview>;
  readonly turn: Turn;
}

const COMING = new Set(["ready", "failed", "unknown"]);

/** @param plan as it is judged: with what is to be filled in. */
export async function previewPlan(
  deps: Deps,
  context: PlanContext,
  plan: StoredPlan,
): Promise<Result<PlanPreview, Problem>> {
  const coming = plan.steps.filter(({ status }) => COMING.has(status));
  const guard = deps.guardOf(context.principal);
  const asksOnce = coming.some(({ tool }) => traitsOf(context.policy, tool).gate);
  const [linked, session, gates] = await Promise.all([
    activeConnections(context.principal, deps),
    orUnavailable(guard.sessions.find(plan.session)),
    asksOnce ? orUnavailable(guard.gates.list()) : ok([]),
  ]);
  if (!linked.ok) return linked;
  if (!session.ok) return session;
  if (!gates.ok) return gates;
  const connections = linked.value.map(({ provider }) => provider);
  const turn = previewTurn(runInput(context, plan), session.value, connections);
  const open = gates.value.filter((gate) => gate.session === null || gate.session === plan.session);
  const consented = new Set(open.map(({ tool }) => tool));
  return ok({ previews: previewSteps(deps, turn, plan, coming, consented), turn });
}

/** An imagined run: no turn has its id. */
const runInput = ({ principal, policy, managed, work }: PlanContext, plan: StoredPlan): RunInput => ({
  id: "",
  principal,
  policy,
  managed,
  plan,
  tools: readStoredTools(plan.tools),
  results: [],
  channel: "native",
  headers: {},
  work,
});

/** By step. */
export interface OpenParts {
  readonly calls: ReadonlyMap<string, ReleasedCall>;
  readonly approvals: ReadonlyMap<string, Approval>;
}

/** @param turn as if the plan were run now: a call is shown only to a user who may make it now. */
export async function findOpenParts(
  deps: Deps,
  { principal }: PlanContext,
  { id: plan, steps }: StoredPlan,
  turn: Turn,
): Promise<Result<OpenParts, Problem>> {
  const guard = deps.guardOf(principal);
  const now = deps.now();
  const released = steps.filter(
    ({ status, tool }) => status === "released" && withheldFor(turn, tool, now).length === 0,
  );
  const waiting = steps.flatMap(({ id, status, approval }) =>
    status === "waiting" && approval !== null ? [{ id, approval }] : [],
  );
  const reached = await orUnavailable(
    Promise.all([
      Promise.all(released.map(async ({ id }) => [id, await guard.plans.releasedStep(plan, id)] as const)),
      Promise.all(waiting.map(async ({ id, approval }) => [id, await guard.approvals.find(approval)] as const)),
    ]),
  );
  if (!reached.ok) return reached;
  const [calls, approvals] = reached.value;
  return ok({ calls: known(calls), approvals: known(approvals) });
}

const known = <T>(entries: readonly (readonly [string, T | undefined])[]): ReadonlyMap<string, T> =>
  new Map(entries.flatMap(([id, one]) => (one === undefined ? [] : [[id, one] as const])));

/** Null if only a run is needed, or nothing helps. */
export function waitsFor(
  { status, steps, placeholders, values }: StoredPlan,
  open: OpenParts | undefined,
): "approval" | "client" | "placeholders" | null {
  if (status !== "paused" && status !== "ready") return null;
  const next = steps.find((step) => step.status !== "succeeded");
  if (next?.status === "released") return "client";
  if (next?.status === "waiting") {
    const approval = open?.approvals.get(next.id);
    return approval === undefined || approval.status === "pending" ? "approval" : null;
  }
  return missingPlaceholders(placeholders, values).length > 0 ? "placeholders" : null;
}
