/**
 * `/admin/mcp`: the MCP servers of a tenant's policy, and of those before it, for its operators: what they offer, which
 * definitions are accepted, the acceptance of one that was changed or waits, and the end of what is gone.
 */

import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { log } from "../../lib/log.ts";
import { once } from "../../lib/once.ts";
import { err, ok } from "../../lib/result.ts";
import { userIn } from "../../session/principal.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import { type HandlerResult, refuseIf } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { conflict, notFound, unavailable, upstreamFailed } from "../problem.ts";
import { readJson } from "../read-json.ts";
import { actingName } from "./acting-name.ts";
import { policyAsked, serverAsked } from "./admin-mcp-asked.ts";
import { forgetServer, forgetTool } from "./admin-mcp-forget.ts";
import { presentServer, shown } from "./admin-mcp-view.ts";
import { ledgerHandlerWith } from "./from-ledger.ts";

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
  const asked = await policyAsked(c, deps);
  if (!asked.ok) return asked;
  const { tenant, policy } = asked.value;
  const known = new Map((await deps.ledgerOf(tenant).mcp.servers()).map((one) => [one.server, one]));
  const inPolicy = Object.entries(policy.mcpServers);
  const others = [...known.keys()].filter((name) => !Object.hasOwn(policy.mcpServers, name));
  const data = [
    ...inPolicy.map(([name, settings]) => presentServer(name, settings, known.get(name))),
    ...others.map((name) => presentServer(name, undefined, known.get(name))),
  ];
  return ok(shown(listBody(data)));
}

async function refresh(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const asked = await serverAsked(c, deps);
  if (!asked.ok) return asked;
  const { tenant, policy, server, settings } = asked.value;
  const { role, authenticated } = c.var.principal;
  const principal = { tenant, user: userIn(tenant, c.var.principal), role, authenticated, connections: [] };
  const known = await deps.mcp.refresh({ policy, server, settings, principal });
  if (known === "not_linked")
    return err(
      conflict("connection_missing", `\`${server}\` is asked with a user's own token, and you have linked none`),
    );
  if (!known) return err(unavailable("mcp_not_listed", `\`${server}\` could not be asked for its tools`));
  if (known.error) return err(upstreamFailed(`\`${server}\`: ${known.error.detail}`, 502, known.error.failure));
  return ok(shown(presentServer(server, settings, known)));
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
  const asked = await serverAsked(c, deps);
  if (!asked.ok) return asked;
  const { tenant, server, settings } = asked.value;
  const tool = c.req.param("tool") ?? "";
  const by = actingName(c.var.principal, tenant);
  const ledger = deps.ledgerOf(tenant);
  const done = await ledger.mcp.accept({ server, tool, digest, by, at: deps.now() });
  if (done === "unknown") return err(notFound("tool of this MCP server", "tool"));
  if (done === "changed")
    return err(
      conflict("definition_changed", "what the server offers now is another definition; read it, and accept that"),
    );
  log("info", "mcp_tool_accepted", { tenant, server, tool, digest, by });
  deps.mcp.forget(tenant);
  const known = (await ledger.mcp.servers()).find((one) => one.server === server);
  return ok(shown(presentServer(server, settings, known)));
}
