/** The user of the tenant whom an operator's request names in its path, and the author of the request. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { log } from "../../lib/log.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { Owner } from "../../session/principal.ts";
import { auditActor, tenantFor } from "../admin/admin-params.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import type { HandlerResult } from "../handler.ts";
import { badRequest, type Problem } from "../problem.ts";
import { readParams, text } from "../query-params.ts";

/** A handler for the user that the path names; a problem if the principal may not act for the tenant. */
export const forNamedUser =
  (handler: (deps: Deps, owner: Owner, c: Context<AppEnv>) => Promise<HandlerResult>) =>
  async (c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> => {
    const owner = readOwner(c);
    return owner.ok ? handler(deps, owner.value, c) : owner;
  };

function readOwner(c: Context<AppEnv>): Result<Owner, Problem> {
  const { principal } = c.var;
  const problem = requireAdmin(principal);
  if (problem) return err(problem);
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const tenant = tenantFor(principal, query.value.tenant);
  if (!tenant.ok) return tenant;
  const user = isDecodable(c) ? c.req.param("id") : undefined;
  return isName(user)
    ? ok({ tenant: tenant.value, user })
    : err(badRequest("id", `a user's id must have ${NAME_RULE}`));
}

/** Hono leaves an id that is not UTF-8 as it is: it would name another user. */
function isDecodable(c: Context<AppEnv>): boolean {
  try {
    decodeURIComponent(new URL(c.req.url).pathname);
    return true;
  } catch {
    return false;
  }
}

export const actorOf = (c: Context<AppEnv>, { tenant }: Owner): string => auditActor(c.var.principal, tenant);

export const logChange = (
  event: string,
  c: Context<AppEnv>,
  owner: Owner,
  fields: Readonly<Record<string, unknown>>,
): void => log("info", event, { ...owner, ...fields, by: actorOf(c, owner) });
