/**
 * `GET /admin/webhooks`: who is told of approvals, and the secret with which each verifies what it is told. For operators of
 * every tenant: a receiver may be told of several.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { webhookSecrets } from "../../lib/standard-webhook.ts";
import type { AppEnv } from "../app-env.ts";
import { requireOperator } from "../authenticate/authenticate.ts";
import { problemResponse } from "../problem.ts";

export function listWebhooks(c: Context<AppEnv>, { webhooks: { webhooks, keys } }: Deps): Response {
  const problem = requireOperator(c.var.principal);
  if (problem) return problemResponse(problem);
  const data = webhooks.map(({ url, tenant, events }) => ({
    object: "webhook",
    url,
    tenant: tenant ?? null,
    events,
    /** The first signs; a receiver that knows any of them goes on working. */
    secrets: keys ? webhookSecrets(keys, url) : [],
  }));
  return Response.json({ object: "list", data, has_more: false }, { headers: { "cache-control": "no-store" } });
}
