/** What of a plan is open with others now: calls that were handed to the client, and questions that a person has. */
import type { Approval } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { ok, type Result } from "../../lib/result.ts";
import { missingPlaceholders } from "../../plan/placeholders.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";
import { isUsable } from "../../turn/plan-run/foresee.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Problem } from "../problem.ts";
import { reachGuard } from "../reach.ts";
import type { PlanWorld } from "./plan-world.ts";

/** By step. */
export interface PlanOpen {
  readonly calls: ReadonlyMap<string, ReleasedCall>;
  readonly approvals: ReadonlyMap<string, Approval>;
}

/** @param turn as if the plan were run now: a call is told again to nobody who may not call it now. */
export async function openOf(
  deps: Deps,
  { principal }: PlanWorld,
  { id: plan, steps }: KeptPlan,
  turn: Turn,
): Promise<Result<PlanOpen, Problem>> {
  const guard = deps.guardOf(principal);
  const now = deps.now();
  const released = steps.filter(({ status, tool }) => status === "released" && isUsable(turn, tool, now));
  const waiting = steps.flatMap(({ id, status, approval }) =>
    status === "waiting" && approval !== null ? [{ id, approval }] : [],
  );
  const reached = await reachGuard(
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

/** Null where a run is all that it takes, or nothing helps. */
export function waitsFor(
  { status, steps, placeholders, values }: KeptPlan,
  open: PlanOpen | undefined,
): "approval" | "client" | "placeholders" | null {
  if (status !== "paused" && status !== "ready") return null;
  const next = steps.find((step) => step.status !== "succeeded");
  if (next?.status === "released") return "client";
  if (next?.status === "waiting") {
    const asked = open?.approvals.get(next.id);
    return asked === undefined || asked.status === "pending" ? "approval" : null;
  }
  return missingPlaceholders(placeholders, values).length > 0 ? "placeholders" : null;
}
