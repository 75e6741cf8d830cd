/**
 * Approvals of a whole tenant as operators see them: found in the audit trail, told by the objects of their users, who know
 * them as they are. Where an object cannot be reached, or has forgotten one, what the trail has of it is told.
 */
import { approvalView } from "../../approvals/approval-view.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import type { Sight } from "../../approvals/disclosure/disclosure.ts";
import type { Deps } from "../../deps.ts";
import type { IndexedApproval } from "../../ports/approval-index-port.ts";
import { loadPolicy } from "../load-policy.ts";
import { reachGuard } from "../reach.ts";
import { trailView } from "./trail-view.ts";

type View = Readonly<Record<string, unknown>>;

/** Who reads, and what of the calls they may see. */
export interface ApprovalReader {
  readonly sight: Sight;
  readonly language: Language | undefined;
}

/** An operator sees the values of others' calls only where the policy has operators approve them. */
export async function operatorSight(deps: Deps, tenant: string): Promise<Sight> {
  const policy = await loadPolicy(deps, tenant);
  return policy.ok && policy.value.confirmation.approvers === "userOrOperator" ? "whole" : "recorded";
}

/** In the order given; one call to each user's object. */
export async function tenantViews(
  tenant: string,
  indexed: readonly IndexedApproval[],
  deps: Pick<Deps, "guardOf">,
  { sight, language }: ApprovalReader,
): Promise<readonly View[]> {
  const byUser = Map.groupBy(indexed, ({ user }) => user);
  const known = new Map<string, View>();
  await Promise.all(
    [...byUser].map(async ([user, some]) => {
      const ids = some.map(({ id }) => id);
      // Not waited for: this tells them as they are.
      const told = await reachGuard(deps.guardOf({ tenant, user }).approvals.wait(ids, 0));
      for (const one of told.ok ? told.value : []) known.set(one.id, { ...approvalView(one, sight, language), user });
    }),
  );
  return indexed.map((one) => known.get(one.id) ?? trailView(one));
}
