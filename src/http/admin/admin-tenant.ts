/** Which tenant an operators' request is about, where its path does not say. Pure. */
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { badRequest, type Problem } from "../problem.ts";

/** The one that is named; the principal's own where none is. */
export function tenantFor(principal: AuthenticatedPrincipal, named: string | undefined): Result<string, Problem> {
  if (named === undefined) return ok(principal.tenant);
  const problem = requireAdminOf(principal, named);
  if (problem) return err(problem);
  return isName(named) ? ok(named) : err(badRequest("tenant", `\`tenant\` must have ${NAME_RULE}`));
}
