/**
 * `/admin/mcp`: the MCP servers of a tenant's policy, and of earlier ones, for its operators: what they offer, which definitions are
 * accepted, the acceptance of a changed or pending definition, and the removal of what is gone.
 */

import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { McpServer } from "../../policy/document/run-parts.ts";
import { userIn } from "../../session/principal.ts";
import { EVERYWHERE_MS, policyDigest } from "../../stores/policies/policy-source.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import { type HandlerResult, refuseIf } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { conflict, notFound, type Problem, unavailable, upstreamFailed } from "../problem.ts";
import { readParams, text } from "../query-params.ts";
import { ledgerHandlerWith } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { presentServer, visibleResponse } from "./admin-mcp-view.ts";
import { auditActor, tenantFor } from "./admin-params.ts";
import { recordChange } from "./record-change.ts";

/** To be mounted at `/admin/mcp`, behind the middleware that sets `principal`. */
export function mcpAdminRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const handle = ledgerHandlerWith(deps);
  app.use(refuseIf((c) => requireAdmin(c.var.principal)));
  app.get("/", handle(listServers));
  app.post("/:server/refresh", handle(refresh));
  app.post("/:server/tools/:tool/accept", handle(accept));
  app.delete("/:server", handle(forgetServer));
  app.delete("/:server/tools/:tool", handle(forgetTool));
  return app;
}

async function listServers(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findPolicy(c, deps);
  if (!found.ok) return found;
  const { tenant, policy } = found.value;
  const known = new Map((await deps.ledgerOf(tenant).mcp.servers()).map((one) => [one.server, one]));
  const inPolicy = [...policy.mcpServers];
  const others = [...known.keys()].filter((name) => !policy.mcpServers.has(name));
  const data = [
    ...inPolicy.map(([name, settings]) => presentServer(name, settings, known.get(name))),
    ...others.map((name) => presentServer(name, undefined, known.get(name))),
  ];
  return ok(visibleResponse(listBody(data)));
}

async function refresh(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findServer(c, deps);
  if (!found.ok) return found;
  const { tenant, policy, server, settings } = found.value;
  const { role, authenticated } = c.var.principal;
  const principal = { tenant, user: userIn(tenant, c.var.principal), role, authenticated, connections: [] };
  const known = await deps.mcp.refresh({ policy, server, settings, principal });
  if (known === "not_linked")
    return err(
      conflict("connection_missing", `\`${server}\` is asked with a user's own token, and you have linked none`),
    );
  if (!known) return err(unavailable("mcp_not_listed", `\`${server}\` could not be asked for its tools`));
  await recordChange(c, deps, tenant, { event: "mcp_server_refreshed", subject: server });
  if (known.error) return err(upstreamFailed(`\`${server}\`: ${known.error.detail}`, 502, known.error.failure));
  return ok(visibleResponse(presentServer(server, settings, known)));
}

const acceptBody = {
  schema: once(() =>
    z.strictObject({
      digest: z.string().regex(/^[0-9a-f]{64}$/, "must be the `seen_digest` of the definition that you have read"),
    }),
  ),
  example: '`{ "digest": "…" }`',
};

async function accept(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readJson(c.req.raw, 1024, acceptBody);
  if (!body.ok) return body;
  const { digest } = body.value;
  const found = await findServer(c, deps);
  if (!found.ok) return found;
  const { tenant, server, settings } = found.value;
  const tool = c.req.param("tool") ?? "";
  const by = auditActor(c.var.principal, tenant);
  const ledger = deps.ledgerOf(tenant);
  const done = await ledger.mcp.accept({ server, tool, digest, by, at: deps.now() });
  if (done === "unknown") return err(notFound("tool of this MCP server", "tool"));
  if (done === "changed")
    return err(
      conflict("definition_changed", "what the server offers now is another definition; read it, and accept that"),
    );
  deps.mcp.forget(tenant);
  await recordChange(c, deps, tenant, { event: "mcp_tool_accepted", subject: `${server}/${tool}` });
  const known = (await ledger.mcp.servers()).find((one) => one.server === server);
  return ok(visibleResponse(presentServer(server, settings, known)));
}

async function forgetTool(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findServer(c, deps);
  if (!found.ok) return found;
  const { tenant, server, settings } = found.value;
  const problem = await notInForceEverywhere(found.value, deps);
  if (problem) return err(problem);
  const tool = c.req.param("tool") ?? "";
  const done = await deps.ledgerOf(tenant).mcp.forgetTool({ server, url: settings.url, tool });
  if (done === "unknown") return err(notFound("tool of this MCP server", "tool"));
  if (done === "listed")
    return err(
      conflict(
        "mcp_tool_not_gone",
        "only a tool that the server's last list, read at its present address, does not have can be forgotten; `refresh` reads it anew",
      ),
    );
  deps.mcp.forget(tenant);
  await recordChange(c, deps, tenant, { event: "mcp_tool_forgotten", subject: `${server}/${tool}` });
  return ok(visibleResponse({ object: "mcp.tool.deleted", server, tool, deleted: true }));
}

async function forgetServer(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findPolicy(c, deps);
  if (!found.ok) return found;
  const { tenant, policy } = found.value;
  const server = c.req.param("server") ?? "";
  if (policy.mcpServers.has(server))
    return err(
      conflict("mcp_server_in_policy", "the policy has this server; take it out, or forget its tools that are gone"),
    );
  const problem = await notInForceEverywhere(found.value, deps);
  if (problem) return err(problem);
  if (!(await deps.ledgerOf(tenant).mcp.forgetServer(server))) return err(notFound("MCP server", "server"));
  deps.mcp.forget(tenant);
  await recordChange(c, deps, tenant, { event: "mcp_server_forgotten", subject: server });
  return ok(visibleResponse({ object: "mcp.server.deleted", server, deleted: true }));
}

async function notInForceEverywhere({ tenant, policy }: TenantPolicy, deps: Deps): Promise<Problem | undefined> {
  const inForce = await deps.ledgerOf(tenant).policies.inForce(tenant);
  if (inForce === "unavailable") return unreadable;
  const left = (inForce.version?.at ?? 0) + EVERYWHERE_MS - deps.now();
  if (left > 0) {
    const message =
      "the policy was changed less than two minutes ago, and is not in force everywhere yet; try again then";
    return { ...conflict("policy_too_new", message), headers: { "retry-after": String(Math.ceil(left / 1000)) } };
  }
  // KV may be down; the answer is then about the version last known.
  const digest = inForce.version?.digest ?? policyDigest(deps.embeddedPolicy);
  return digest === policy.version ? undefined : unreadable;
}

const unreadable = unavailable("policy_unavailable", "the policy in force cannot be read just now; try again later");

interface TenantPolicy {
  readonly tenant: string;
  readonly policy: CompiledPolicy;
}

interface ServerInPolicy extends TenantPolicy {
  readonly server: string;
  readonly settings: McpServer;
}

async function findPolicy(c: Context<AppEnv>, deps: Deps): Promise<Result<TenantPolicy, Problem>> {
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const tenant = tenantFor(c.var.principal, query.value.tenant);
  if (!tenant.ok) return tenant;
  const policy = await loadPolicy(deps, tenant.value);
  return policy.ok ? ok({ tenant: tenant.value, policy: policy.value }) : policy;
}

async function findServer(c: Context<AppEnv>, deps: Deps): Promise<Result<ServerInPolicy, Problem>> {
  const found = await findPolicy(c, deps);
  if (!found.ok) return found;
  const server = c.req.param("server") ?? "";
  const { mcpServers } = found.value.policy;
  const settings = mcpServers.get(server);
  return settings ? ok({ ...found.value, server, settings }) : err(notFound("MCP server in this policy", "server"));
}
