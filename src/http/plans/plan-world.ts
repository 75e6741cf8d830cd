/** What a request about plans is answered with: the policy in force, what Toolgate runs, and what of a plan is still to come. */
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import type { Principal } from "../../session/principal.ts";
import type { RequestWatch } from "../../telemetry/request-watch.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import { type Foreseen, foreseenTurn, foreseeStep } from "../../turn/plan-run/foresee.ts";
import type { RunInput } from "../../turn/plan-run/open-run.ts";
import type { Turn } from "../../turn/turn.ts";
import { loadServedPolicy, type ServedPolicy } from "../load-policy.ts";
import { forbidden, notFound, type Problem } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import { linkedNow } from "../user/linked-now.ts";
import { readTools } from "./plan-asked.ts";

export interface PlanWorld {
  readonly served: ServedPolicy;
  readonly principal: Principal;
  /** With the tools of MCP servers. */
  readonly policy: CompiledPolicy;
  readonly managed: ManagedTools;
  /** What all checking of the request is paid from. */
  readonly work: WorkBudget;
}

export async function planWorld(
  deps: Deps,
  principal: Principal,
  watch?: RequestWatch,
): Promise<Result<PlanWorld, Problem>> {
  const served = await loadServedPolicy(deps, principal.tenant, watch);
  if (!served.ok) return served;
  const managed = await deps.tools.managed(served.value.policy, principal);
  return ok({ served: served.value, principal, policy: managed.policy, managed, work: workBudget() });
}

/** Where the policy permits no plans none is made or run; those that there are can be read and cancelled. */
export const plansForbidden = ({ policy }: PlanWorld): Problem | undefined =>
  policy.plans.enabled ? undefined : forbidden("plans_disabled", "the policy permits no plans (`plans.enabled`)");

/** Of another user it is unknown. */
export async function findPlan(deps: Deps, principal: Principal, id: string): Promise<Result<KeptPlan, Problem>> {
  const found = await reachGuard(deps.guardOf(principal).plans.find(id));
  if (!found.ok) return found;
  return found.value ? ok(found.value) : err(notFound("plan", "id"));
}

export interface Outlook {
  /** By step, of those that are still to come. */
  readonly foreseen: ReadonlyMap<string, Foreseen>;
  readonly turn: Turn;
}

const COMING = new Set(["ready", "failed", "unknown"]);

/** @param plan as it is judged: with what is to be filled in. */
export async function outlookOf(deps: Deps, world: PlanWorld, plan: KeptPlan): Promise<Result<Outlook, Problem>> {
  const coming = plan.steps.filter(({ status }) => COMING.has(status));
  const guard = deps.guardOf(world.principal);
  const asksOnce = coming.some(({ tool }) => traitsOf(world.policy, tool).gate);
  const [linked, session, gates] = await Promise.all([
    linkedNow(world.principal, deps),
    reachGuard(guard.sessions.find(plan.session)),
    asksOnce ? reachGuard(guard.gates.list()) : ok([]),
  ]);
  if (!linked.ok) return linked;
  if (!session.ok) return session;
  if (!gates.ok) return gates;
  const connections = linked.value.map(({ provider }) => provider);
  const turn = foreseenTurn(runInput(world, plan), session.value, connections);
  const open = gates.value.filter((gate) => gate.session === null || gate.session === plan.session);
  const consented = new Set(open.map(({ tool }) => tool));
  const foreseen = coming.map((step) => [step.id, foreseeStep(deps, turn, plan, step, consented)] as const);
  return ok({ foreseen: new Map(foreseen), turn });
}

/** A run as it is imagined: no turn has its id. */
const runInput = ({ principal, policy, managed, work }: PlanWorld, plan: KeptPlan): RunInput => ({
  id: "",
  principal,
  policy,
  managed,
  plan,
  tools: readTools(plan.tools),
  results: [],
  channel: "native",
  headers: {},
  work,
});
