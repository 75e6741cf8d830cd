/**
 * Has what is gone forgotten: a tool that its server has no more, a server that the policy has no more. What comes back is as
 * new: it is accepted at first sight, or waits, by the same rules. So nothing that a server still lists can be forgotten, nor
 * anything while the policy before may still be in force somewhere: what was withheld there would be taken for the first.
 */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { log } from "../../lib/log.ts";
import { err, ok } from "../../lib/result.ts";
import { EVERYWHERE_MS, policyDigest } from "../../stores/policies/policy-source.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { conflict, notFound, type Problem, unavailable } from "../problem.ts";
import { actingName } from "./acting-name.ts";
import { type PolicyAsked, policyAsked, serverAsked } from "./admin-mcp-asked.ts";
import { shown } from "./admin-mcp-view.ts";

export async function forgetTool(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const asked = await serverAsked(c, deps);
  if (!asked.ok) return asked;
  const { tenant, server, settings } = asked.value;
  const problem = await notEverywhere(asked.value, deps);
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
  tell("mcp_tool_forgotten", c, deps, { tenant, server, tool });
  return ok(shown({ object: "mcp.tool.deleted", server, tool, deleted: true }));
}

export async function forgetServer(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const asked = await policyAsked(c, deps);
  if (!asked.ok) return asked;
  const { tenant, policy } = asked.value;
  const server = c.req.param("server") ?? "";
  if (Object.hasOwn(policy.mcpServers, server))
    return err(
      conflict("mcp_server_in_policy", "the policy has this server; take it out, or forget its tools that are gone"),
    );
  const problem = await notEverywhere(asked.value, deps);
  if (problem) return err(problem);
  if (!(await deps.ledgerOf(tenant).mcp.forgetServer(server))) return err(notFound("MCP server", "server"));
  tell("mcp_server_forgotten", c, deps, { tenant, server });
  return ok(shown({ object: "mcp.server.deleted", server, deleted: true }));
}

async function notEverywhere({ tenant, policy }: PolicyAsked, deps: Deps): Promise<Problem | undefined> {
  const inForce = await deps.ledgerOf(tenant).policies.inForce(tenant);
  if (inForce === "unavailable") return unreadable;
  const left = (inForce.version?.at ?? 0) + EVERYWHERE_MS - deps.now();
  if (left > 0) {
    const message =
      "the policy was changed less than two minutes ago, and is not in force everywhere yet; try again then";
    return { ...conflict("policy_too_new", message), headers: { "retry-after": String(Math.ceil(left / 1000)) } };
  }
  // KV may be out, and what was asked about is the version last known.
  const digest = inForce.version?.digest ?? policyDigest(deps.embeddedPolicy);
  return digest === policy.version ? undefined : unreadable;
}

const unreadable = unavailable("policy_unavailable", "the policy in force cannot be read just now; try again later");

function tell(
  event: string,
  c: Context<AppEnv>,
  deps: Deps,
  fields: { readonly tenant: string; readonly server: string; readonly tool?: string },
): void {
  log("info", event, { ...fields, by: actingName(c.var.principal, fields.tenant) });
  deps.mcp.forget(fields.tenant);
}
