/**
 * `GET /v1/tools`: the tools that the principal could use now, managed and defined by the policy, with the consents that each
 * would need. Admins also see what is withheld, and why. Nothing is counted.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { quote, textForClient } from "../../policy/reason-texts.ts";
import { roleRank } from "../../policy/role-order.ts";
import {
  clientDefinitions,
  couldUse,
  type UsableTool,
  type UsableToolsRequest,
  usableTools,
} from "../../policy/usable-tools.ts";
import type { Connection } from "../../ports/connections-port.ts";
import { type Principal, userIn } from "../../session/principal.ts";
import { type TokenNeed, tokenNeed } from "../../tools/credentials.ts";
import { mcpToolView, type ToolToView, toolView } from "../../tools/tool-view.ts";
import { tenantFor } from "../admin/admin-params.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadServedPolicy, namePolicy } from "../load-policy.ts";
import { badRequest, type Problem } from "../problem.ts";
import { type Parameter, readParams, text } from "../query-params.ts";
import { checkMode } from "../surface/turn-headers.ts";
import { activeConnections } from "./linked-connections.ts";

export async function listTools(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const request = readListTools(c.req, c.var.principal);
  if (!request.ok) return request;
  const { tenant, format, isAdmin: operator } = request.value;
  const served = await loadServedPolicy(deps, tenant);
  if (!served.ok) return served;
  const owner = await findToolOwner(request.value, served.value.policy, deps);
  if (!owner.ok) return owner;
  const { principal, modes, linked } = owner.value;
  const managed = await deps.tools.managed(served.value.policy, principal);
  const { policy } = managed;
  const usableRequest: UsableToolsRequest = {
    principal,
    modes,
    now: deps.now(),
    changedDefinitions: managed.changed,
    work: workBudget(),
  };
  const definitions = [...managed.definitions, ...clientDefinitions(policy, managed.names)];
  const { usable, withheld } = usableTools(policy, usableRequest, definitions);
  const tools = usable.map((tool) => withNotes(tool, policy, usableRequest, { managed: managed.names, linked }));
  const known = new Set(definitions.map(({ name }) => name));
  const body = (): object => {
    const offered = tools.filter(({ missing }) => missing.length === 0);
    if (format === "openai") return offered.map(({ definition }) => definition.wire);
    if (format === "mcp") return { tools: offered.map((tool) => mcpToolView(policy, tool)) };
    const refused = withheld.map(({ name, reasons }) => ({
      name,
      reasons: reasons.map((reason) => ({ code: reason.code, message: textForClient(reason) })),
    }));
    const data = tools.map((tool) => toolView(policy, tool));
    return { ...listBody(data), withheld: operator ? [...refused, ...absent(policy, known)] : undefined };
  };
  return ok(namePolicy(Response.json(body()), served.value));
}

/** The undo of a tool is listed by name, so it must be a tool that the principal could use. */
function withNotes(
  tool: UsableTool,
  policy: CompiledPolicy,
  request: UsableToolsRequest,
  { managed, linked }: { readonly managed: ReadonlySet<string>; readonly linked: readonly Connection[] },
): ToolToView {
  const { name, undo } = tool.traits;
  const isVisible = undo !== undefined && couldUse(policy, request, undo.tool);
  const need = managed.has(name) ? tokenNeed(policy, name) : undefined;
  const withoutToken = need && !linked.some((one) => hasTokenFor(one, need)) ? need.provider : undefined;
  return { ...tool, managed: managed.has(name), undo: isVisible ? undo.tool : undefined, withoutToken };
}

const hasTokenFor = ({ provider, hasToken, hosts }: Connection, need: TokenNeed): boolean =>
  provider === need.provider && hasToken && hosts.includes(need.host);

/** Tools that the gateway would run if it had an executor for them. */
const absent = ({ tools }: CompiledPolicy, known: ReadonlySet<string>) =>
  [...tools].flatMap(([name, { run }]) => {
    if (!run || known.has(name)) return [];
    const why =
      run.kind === "mcp"
        ? `the MCP server ${quote(run.server)} offers no tool of this name, or could not be asked`
        : "this deployment has nothing that runs it";
    return [{ name, reasons: [{ code: "not_available", message: `${quote(name)} cannot be run: ${why}` }] }];
  });

type ToolsFormat = "openai" | "mcp";

interface ListToolsRequest {
  readonly principal: AuthenticatedPrincipal;
  readonly tenant: string;
  /** Undefined for the principal's own tools. */
  readonly other: { readonly user: string | undefined; readonly role: string | undefined } | undefined;
  readonly mode: string | undefined;
  readonly format: ToolsFormat | undefined;
  /** Whether withheld tools are listed. */
  readonly isAdmin: boolean;
}

const format: Parameter<ToolsFormat> = {
  read: (value) => (value === "openai" || value === "mcp" ? value : undefined),
  accepts: "`openai` or `mcp`",
};
const known = { tenant: text, user: text, role: text, mode: text, format };

function readListTools(
  request: Pick<Request, "url">,
  principal: AuthenticatedPrincipal,
): Result<ListToolsRequest, Problem> {
  const read = readParams(request, known);
  if (!read.ok) return read;
  const { user, role, mode, format } = read.value;
  const refused = requireAdmin(principal);
  const [param] = (["user", "role"] as const).filter((name) => read.value[name] !== undefined);
  if (refused && param) return err({ ...refused, param });
  const tenant = tenantFor(principal, read.value.tenant);
  if (!tenant.ok) return tenant;
  if (user !== undefined && !isName(user)) return err(badRequest("user", `\`user\` must have ${NAME_RULE}`));
  if (user !== undefined && role === undefined)
    return err(badRequest("role", "say which role the user has: `role=…`; their key or token has it"));
  const isOwn = user === undefined && role === undefined && tenant.value === principal.tenant;
  const other = isOwn ? undefined : { user, role };
  return ok({ principal, tenant: tenant.value, other, mode, format, isAdmin: refused === undefined });
}

interface ToolOwner {
  readonly principal: Principal;
  readonly modes: readonly string[];
  /** What operators have linked for that user. */
  readonly linked: readonly Connection[];
}

async function findToolOwner(
  { principal: asker, tenant, other, mode }: ListToolsRequest,
  policy: CompiledPolicy,
  deps: Pick<Deps, "guardOf" | "now">,
): Promise<Result<ToolOwner, Problem>> {
  const role = other?.role ?? asker.role;
  if (other && roleRank(policy.roles, role) === undefined) {
    const names = policy.roles.map((one) => `\`${one}\``).join(", ");
    return err(badRequest("role", `the tenant's policy has no role \`${role}\`; it has ${names}`, "role_unknown"));
  }
  // The operator's own connections do not belong to the role in question.
  const unlinked: Principal = other
    ? { tenant, user: other.user ?? userIn(tenant, asker), role, authenticated: true, connections: [] }
    : asker;
  const problem = mode === undefined ? undefined : checkMode(mode, policy, unlinked);
  if (problem) return err(problem);
  const modes = mode === undefined ? [...policy.modes.keys()] : [mode];
  if (other && other.user === undefined) return ok({ principal: unlinked, modes, linked: [] });
  const linked = await activeConnections(unlinked, deps);
  if (!linked.ok) return linked;
  const connections = [...new Set([...unlinked.connections, ...linked.value.map(({ provider }) => provider)])];
  return ok({ principal: { ...unlinked, connections }, modes, linked: linked.value });
}
