/** The tenant of an operators' request whose path does not name it. Pure. */
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { badRequest, type Problem } from "../problem.ts";
import { flag, readParams } from "../query-params.ts";

/** The named tenant, or the principal's own. */
export function tenantFor(principal: AuthenticatedPrincipal, named: string | undefined): Result<string, Problem> {
  if (named === undefined) return ok(principal.tenant);
  const problem = requireAdminOf(principal, named);
  if (problem) return err(problem);
  return isName(named) ? ok(named) : err(badRequest("tenant", `\`tenant\` must have ${NAME_RULE}`));
}

/** Tenants name objects and keys in KV. */
export function checkTenant(tenant: string): Problem | undefined {
  return isName(tenant) ? undefined : badRequest("tenant", `a tenant's name must have ${NAME_RULE}`);
}

export function readDryRun(request: Pick<Request, "url">): Result<boolean, Problem> {
  const read = readParams(request, { dry_run: flag });
  return read.ok ? ok(read.value.dry_run ?? false) : read;
}

/**
 * The author of an act, for a tenant's own records. Operators act on tenants that are not theirs, where their user ids mean nothing:
 * their tenant is appended. It is also appended if a user of this tenant has an `@` in the name: otherwise a change of theirs could
 * pass for an operator's. Pure.
 */
export const auditActor = ({ tenant: own, user }: { tenant: string; user: string }, tenant: string): string =>
  own === tenant && !user.includes("@") ? user : `${user}@${own}`;
