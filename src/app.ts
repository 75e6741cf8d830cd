/** The gateway's HTTP application: the order of middleware, and the table of routes. */

import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Deps } from "./deps.ts";
import { keyRoutes } from "./http/admin/admin-keys.ts";
import { mcpAdminRoutes } from "./http/admin/admin-mcp.ts";
import { policyAdminRoutes } from "./http/admin/admin-policies.ts";
import { tenantRoutes } from "./http/admin/admin-tenants.ts";
import { listWebhooks } from "./http/admin/admin-webhooks.ts";
import type { AppEnv } from "./http/app-env.ts";
import { approvalRoutes } from "./http/approvals/approvals.ts";
import { closeGate, listGates, openGate } from "./http/approvals/gates.ts";
import { getGrant, listGrants, withdrawGrant } from "./http/approvals/grants.ts";
import { approveRoutes } from "./http/approve/approve.ts";
import { auditRoutes } from "./http/audit/audit.ts";
import { chatSurface } from "./http/chat/chat-format.ts";
import { answerModel, answerModels } from "./http/chat/models.ts";
import { passThrough } from "./http/chat/pass-through.ts";
import { PASSED_PATHS } from "./http/chat/passed-paths.ts";
import { consoleRoutes } from "./http/console/console.ts";
import { handlerWith, refuseIf } from "./http/handler.ts";
import { listSeenTools } from "./http/lab/seen-tools.ts";
import { countBodies } from "./http/large-body.ts";
import { deleteMcp, getMcp, postMcp } from "./http/mcp/mcp.ts";
import { getProtectedResource } from "./http/mcp/protected-resource.ts";
import { asRpcErrors } from "./http/mcp/rpc-error.ts";
import { authenticateRequest } from "./http/middleware/authentication.ts";
import { behindListener } from "./http/middleware/behind-listener.ts";
import { cors } from "./http/middleware/cors.ts";
import { setRequestId, watchRequests } from "./http/middleware/watch-requests.ts";
import { planRoutes } from "./http/plans/plans.ts";
import { internal, type Problem, problemResponse, unavailable } from "./http/problem.ts";
import { checkHeaders } from "./http/request-limits.ts";
import { conversationRoutes } from "./http/responses/conversations.ts";
import { deleteResponse, getResponse, listInputItems } from "./http/responses/kept-responses.ts";
import { responsesSurface } from "./http/responses/responses-surface.ts";
import { getHealth, getMetrics, getOpenApi } from "./http/service-routes.ts";
import { serveTurn } from "./http/surface/serve-turn.ts";
import { serveTenants } from "./http/tenant-gateway.ts";
import { resumeReply, stopReply } from "./http/ui/resume.ts";
import { uiSurface } from "./http/ui/ui-surface.ts";
import { unknownRoute } from "./http/unknown-route.ts";
import { bibliographyRoutes } from "./http/user/bibliography.ts";
import { getCall, listCalls, undoCall } from "./http/user/calls.ts";
import { connectionRoutes } from "./http/user/connections.ts";
import { erasureRoutes } from "./http/user/erase-user.ts";
import { detectIntents } from "./http/user/intents.ts";
import { getMe } from "./http/user/me.ts";
import { subscribeBrowser, unsubscribeBrowser } from "./http/user/push.ts";
import { userResetRoutes } from "./http/user/reset-user.ts";
import { deleteSession, getSession, patchSession } from "./http/user/sessions.ts";
import { listTools } from "./http/user/tools.ts";
import { describeError, log } from "./lib/log.ts";

export function createApp(deps: Deps): Hono<AppEnv> {
  // The default router tries another one first, which these routes do not fit: that costs some 3 % of a start.
  const app = new Hono<AppEnv>({ router: new TrieRouter() });
  const handle = handlerWith(deps);

  app.use(setRequestId(deps.now));
  if (deps.listenerSecret !== undefined) app.use(behindListener(deps.listenerSecret));
  if (deps.cors.any || deps.cors.origins.size > 0) app.use(cors(deps.cors));
  app.get("/health", (c) => getHealth(deps, c.req.query("strict") === "1"));

  app.use("/mcp/*", asRpcErrors(deps));
  app.use(watchRequests(deps));
  app.use(refuseIf(() => misconfigured(deps)));
  app.use(refuseIf((c) => checkHeaders(c.req.raw.headers, deps.limits)));
  // In front of authentication: a signed link needs no key.
  if (deps.webhooks.keys) app.route("/approve", approveRoutes(deps, deps.webhooks.keys));
  app.route("/console", consoleRoutes(deps));
  // A browser is sent to the console; a program gets 404 as everywhere.
  app.get("/", (c, next) => (c.req.header("accept")?.includes("text/html") ? c.redirect("/console") : next()));
  for (const path of ["", "/mcp"])
    app.get(
      `/.well-known/oauth-protected-resource${path}`,
      handle((c) => getProtectedResource(c, deps)),
    );
  app.use(authenticateRequest(deps));
  app.use(countBodies(deps));
  if (deps.tenants) app.use(serveTenants(deps, addRoutes));
  addRoutes(app, deps);
  return app;
}

/** The routes behind authentication, and the answer if none fits. */
function addRoutes(app: Hono<AppEnv>, deps: Deps): void {
  const handle = handlerWith(deps);
  app.post("/v1/chat/completions", handle(serveTurn(chatSurface)));
  app.post("/api/chat", handle(serveTurn(uiSurface)));
  app.get("/api/chat/:id/stream", handle(resumeReply(new Map())));
  app.delete("/api/chat/:id/stream", handle(stopReply));
  app.post("/v1/responses", handle(serveTurn(responsesSurface(deps))));
  app.get("/v1/models", handle(answerModels));
  app.get("/v1/models/:model{.+}", handle(answerModel));
  app.get("/v1/responses/:id", handle(getResponse));
  app.delete("/v1/responses/:id", handle(deleteResponse));
  app.get("/v1/responses/:id/input_items", handle(listInputItems));
  app.route("/v1/conversations", conversationRoutes(deps));
  for (const path of PASSED_PATHS)
    app.post(
      `/v1${path}`,
      handle((c) => passThrough(c, path, deps)),
    );
  app.get("/mcp", getMcp(deps));
  app.post("/mcp", postMcp(deps));
  app.delete("/mcp", deleteMcp(deps));
  app.get("/openapi.json", handle(getOpenApi));
  app.get("/v1/me", handle(getMe));
  app.put("/v1/push", handle(subscribeBrowser));
  app.delete("/v1/push", handle(unsubscribeBrowser));
  app.get("/v1/tools", handle(listTools));
  app.get("/v1/sessions/:id", handle(getSession));
  app.patch("/v1/sessions/:id", handle(patchSession));
  app.delete("/v1/sessions/:id", handle(deleteSession));
  app.route("/v1/approvals", approvalRoutes(deps));
  app.get("/v1/grants", handle(listGrants));
  app.get("/v1/grants/:id", handle(getGrant));
  app.delete("/v1/grants/:id", handle(withdrawGrant));
  app.get("/v1/gates", handle(listGates));
  app.post("/v1/gates", handle(openGate));
  app.post("/v1/gates/:tool", handle(openGate));
  app.delete("/v1/gates/:tool", handle(closeGate));
  app.get("/v1/calls", handle(listCalls));
  app.get("/v1/calls/:id", handle(getCall));
  app.post("/v1/calls/:id/undo", handle(undoCall));
  app.post("/v1/intents/detect", handle(detectIntents));
  app.route("/v1/plans", planRoutes(deps));
  app.route("/v1/users/:id/connections", connectionRoutes(deps));
  app.route("/v1/users/:id", userResetRoutes(deps));
  app.route("/v1/users/:id", erasureRoutes(deps));
  app.route("/v1/bibliography", bibliographyRoutes(deps));
  app.route("/admin/policies", policyAdminRoutes(deps));
  app.get("/metrics", handle(getMetrics));
  app.route("/v1/audit", auditRoutes(deps));
  app.route("/admin/keys", keyRoutes(deps));
  app.route("/admin/mcp", mcpAdminRoutes(deps));
  app.get("/admin/webhooks", handle(listWebhooks));
  app.route("/admin/tenants", tenantRoutes(deps));
  app.get("/admin/tools/seen", handle(listSeenTools));

  app.notFound(unknownRoute(app));
  app.onError((error) => {
    log("error", "unexpected_error", describeError(error));
    return problemResponse(internal());
  });
}

function misconfigured({ misconfigured: message }: Deps): Problem | undefined {
  if (!message) return undefined;
  log("error", "misconfigured", { message });
  // The value of a setting is for the log alone.
  const [, unset = "its log says what is missing"] = /(?:^|; )([A-Z]\w* is not set)[:,]/.exec(message) ?? [];
  return unavailable("misconfigured", `the gateway is not configured: ${unset}`, 60);
}
