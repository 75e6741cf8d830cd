/** `GET /v1/me`: the principal of the request, and what it may do beyond its own calls. */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { ok } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import type { HandlerResult } from "../handler.ts";
import { loadPolicy } from "../load-policy.ts";
import { activeConnections, ownConnectionsView } from "./linked-connections.ts";

export async function getMe(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const [policy, linked] = await Promise.all([loadPolicy(deps, principal.tenant), activeConnections(principal, deps)]);
  if (!policy.ok) return policy;
  if (!linked.ok) return linked;
  const admin = requireAdmin(principal) === undefined;
  const who = {
    object: "principal",
    tenant: principal.tenant,
    user: principal.user,
    role: principal.role,
    operator: principal.operator,
    /** For other people's calls: operators see and deny them; the policy says whether they approve them too. */
    sees_tenant: admin,
    approves_for_others: admin && policy.value.confirmation.approvers === "userOrOperator",
    connections: ownConnectionsView(principal.connections, linked.value),
  };
  // The inbox counts with the gateway's clock; not every server in front of it sends a `date`.
  return ok(Response.json(who, { headers: { date: new Date(deps.now()).toUTCString() } }));
}
