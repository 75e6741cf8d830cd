/** Whose tools a request to `/v1/tools` asks for, and in which form. */

import type { Deps } from "../../deps.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { roleRank } from "../../policy/role-order.ts";
import type { Connection } from "../../ports/connections-port.ts";
import { type Principal, userIn } from "../../session/principal.ts";
import { tenantFor } from "../admin/admin-tenant.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { checkMode } from "../chat/turn-headers.ts";
import { badRequest, type Problem } from "../problem.ts";
import { type HasUrl, type Parameter, readParams, text } from "../query-params.ts";
import { linkedNow } from "./linked-now.ts";

export type ToolsFormat = "openai" | "mcp";

export interface ToolsAsked {
  readonly asker: AuthenticatedPrincipal;
  readonly tenant: string;
  /** Undefined where the asker's own are asked for. */
  readonly other: { readonly user: string | undefined; readonly role: string | undefined } | undefined;
  readonly mode: string | undefined;
  readonly format: ToolsFormat | undefined;
  /** Whether the asker may be told what is withheld. */
  readonly operator: boolean;
}

const format: Parameter<ToolsFormat> = {
  read: (value) => (value === "openai" || value === "mcp" ? value : undefined),
  accepts: "`openai` or `mcp`",
};
const known = { tenant: text, user: text, role: text, mode: text, format };

export function readToolsAsked(request: HasUrl, asker: AuthenticatedPrincipal): Result<ToolsAsked, Problem> {
  const read = readParams(request, known);
  if (!read.ok) return read;
  const { user, role, mode, format } = read.value;
  const refused = requireAdmin(asker);
  const [param] = (["user", "role"] as const).filter((name) => read.value[name] !== undefined);
  if (refused && param) return err({ ...refused, param });
  const tenant = tenantFor(asker, read.value.tenant);
  if (!tenant.ok) return tenant;
  if (user !== undefined && !isName(user)) return err(badRequest("user", `\`user\` must have ${NAME_RULE}`));
  if (user !== undefined && role === undefined)
    return err(badRequest("role", "say which role the user has: `role=…`; it is their key or token that tells it"));
  const isOwn = user === undefined && role === undefined && tenant.value === asker.tenant;
  const other = isOwn ? undefined : { user, role };
  return ok({ asker, tenant: tenant.value, other, mode, format, operator: refused === undefined });
}

export interface ToolsOf {
  readonly principal: Principal;
  readonly modes: readonly string[];
  /** What operators have linked for that user. */
  readonly linked: readonly Connection[];
}

export async function whoseTools(
  { asker, tenant, other, mode }: ToolsAsked,
  policy: CompiledPolicy,
  deps: Pick<Deps, "guardOf" | "now">,
): Promise<Result<ToolsOf, Problem>> {
  const role = other?.role ?? asker.role;
  if (other && roleRank(policy.roles, role) === undefined) {
    const names = policy.roles.map((one) => `\`${one}\``).join(", ");
    return err(badRequest("role", `the tenant's policy has no role \`${role}\`; it has ${names}`, "role_unknown"));
  }
  // An operator's own connections are nobody's who has that role.
  const unlinked: Principal = other
    ? { tenant, user: other.user ?? userIn(tenant, asker), role, authenticated: true, connections: [] }
    : asker;
  const problem = mode === undefined ? undefined : checkMode(mode, policy, unlinked);
  if (problem) return err(problem);
  const modes = mode === undefined ? [...policy.modes.keys()] : [mode];
  if (other && other.user === undefined) return ok({ principal: unlinked, modes, linked: [] });
  const linked = await linkedNow(unlinked, deps);
  if (!linked.ok) return linked;
  const connections = [...new Set([...unlinked.connections, ...linked.value.map(({ provider }) => provider)])];
  return ok({ principal: { ...unlinked, connections }, modes, linked: linked.value });
}
