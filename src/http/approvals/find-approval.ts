/** One approval by its id: the principal's own, or, for an admin of the tenant, any user's there. Any other is unknown. */
import type { Approval } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { Owner } from "../../session/principal.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { notFound, type Problem } from "../problem.ts";
import { orTrailUnavailable, orUnavailable } from "../reach.ts";

export interface FoundApproval {
  readonly approval: Approval;
  readonly owner: Owner;
  /** Whether the principal is the user of the conversation. */
  readonly own: boolean;
}

const unknown = err(notFound("approval", "id"));

/** @param tenant in which it is looked for; not the principal's own only if the principal may act there. */
export async function findApproval(
  id: string,
  who: AuthenticatedPrincipal,
  tenant: string,
  deps: Deps,
): Promise<Result<FoundApproval, Problem>> {
  if (!/^appr_[0-9a-z]{26}$/.test(id)) return unknown;
  // The principal's own first, and not by the index, which learns of an approval a moment after it is made.
  const own = tenant === who.tenant ? await lookUp(id, who, deps) : unknown;
  if (own.ok) return ok({ ...own.value, own: true });
  if (own !== unknown || requireAdminOf(who, tenant)) return own;
  const indexed = await orTrailUnavailable(deps.approvalIndex.find(tenant, id, deps.now()));
  if (!indexed.ok) return indexed;
  if (!indexed.value) return unknown;
  const found = await lookUp(id, { tenant, user: indexed.value.user }, deps);
  return found.ok ? ok({ ...found.value, own: false }) : found;
}

async function lookUp(
  id: string,
  { tenant, user }: Owner,
  deps: Deps,
): Promise<Result<Omit<FoundApproval, "own">, Problem>> {
  const found = await orUnavailable(deps.guardOf({ tenant, user }).approvals.find(id));
  if (!found.ok) return found;
  return found.value ? ok({ approval: found.value, owner: { tenant, user } }) : unknown;
}
