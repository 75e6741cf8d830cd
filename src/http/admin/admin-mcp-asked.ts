/** What operators ask about: a tenant's policy in force, and one of its MCP servers. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { AppEnv } from "../app-env.ts";
import { loadPolicy } from "../load-policy.ts";
import { notFound, type Problem } from "../problem.ts";
import { readParams, text } from "../query-params.ts";
import { tenantFor } from "./admin-tenant.ts";

export interface PolicyAsked {
  readonly tenant: string;
  readonly policy: CompiledPolicy;
}

export interface ServerAsked extends PolicyAsked {
  readonly server: string;
  readonly settings: McpServer;
}

export async function policyAsked(c: Context<AppEnv>, deps: Deps): Promise<Result<PolicyAsked, Problem>> {
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const tenant = tenantFor(c.var.principal, query.value.tenant);
  if (!tenant.ok) return tenant;
  const policy = await loadPolicy(deps, tenant.value);
  return policy.ok ? ok({ tenant: tenant.value, policy: policy.value }) : policy;
}

export async function serverAsked(c: Context<AppEnv>, deps: Deps): Promise<Result<ServerAsked, Problem>> {
  const asked = await policyAsked(c, deps);
  if (!asked.ok) return asked;
  const server = c.req.param("server") ?? "";
  const { mcpServers } = asked.value.policy;
  const settings = Object.hasOwn(mcpServers, server) ? mcpServers[server] : undefined;
  return settings ? ok({ ...asked.value, server, settings }) : err(notFound("MCP server in this policy", "server"));
}
