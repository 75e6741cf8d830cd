/**
 * `GET /admin/webhooks`: the receivers of approval events, and the secret with which each receiver verifies them. For operators of
 * every tenant: a receiver may serve several.
 */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import { webhookSecrets } from "../../lib/standard-webhook.ts";
import type { AppEnv } from "../app-env.ts";
import { requireOperator } from "../authenticate/authenticate.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";

export function listWebhooks(c: Context<AppEnv>, { webhooks: { webhooks, keys } }: Deps): HandlerResult {
  const problem = requireOperator(c.var.principal);
  if (problem) return err(problem);
  const data = webhooks.map(({ url, tenant, events, records }) => ({
    object: "webhook",
    url,
    tenant: tenant ?? null,
    events,
    records,
    /** The first signs; a receiver that knows any of them keeps working. */
    secrets: keys ? webhookSecrets(keys, url) : [],
  }));
  return ok(Response.json(listBody(data), { headers: { "cache-control": "no-store" } }));
}
