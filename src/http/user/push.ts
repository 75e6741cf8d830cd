/**
 * `PUT` and `DELETE /v1/push`: a browser of the principal's that is notified of pending approvals (Web Push), if the settings have
 * VAPID keys.
 */
import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { err, ok } from "../../lib/result.ts";
import { mayPush } from "../../settings/push.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { badRequest, notFound } from "../problem.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";

const bytes = (length: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/)
    .max(2 * length)
    .refine((text) => Buffer.from(text, "base64url").length === length, `must be ${length} bytes in base64url`);

const endpoint = () => z.string().max(2048);
const subscriptionBody = {
  schema: once(() =>
    // As a browser's `PushSubscription` is written as JSON.
    z.object({ endpoint: endpoint(), keys: z.object({ p256dh: bytes(65), auth: bytes(16) }) }),
  ),
  example: '`{ "endpoint": "https://…", "keys": { "p256dh": "…", "auth": "…" } }`',
} as const;
const endpointBody = {
  schema: once(() => z.object({ endpoint: endpoint() })),
  example: '`{ "endpoint": "https://…" }`',
} as const;

const noPush = notFound("push: the settings name no `VAPID_PUBLIC_KEY`");

export async function subscribeBrowser(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { push, limits } = deps;
  if (!push) return err(noPush);
  const body = await readJson(c.req.raw, limits.maxSmallBodyBytes, subscriptionBody);
  if (!body.ok) return body;
  const { endpoint: url, keys } = body.value;
  if (!mayPush(push, url))
    return err(badRequest("endpoint", "`endpoint` is at no push service that the gateway knows (`PUSH_HOSTS`)"));
  const { principal } = c.var;
  const stored = await orUnavailable(deps.guardOf(principal).push.subscribe(principal, { endpoint: url, ...keys }));
  return stored.ok ? ok({ object: "push_subscription", endpoint: url }) : stored;
}

export async function unsubscribeBrowser(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, endpointBody);
  if (!body.ok) return body;
  const removed = await orNotFound(
    deps.guardOf(c.var.principal).push.unsubscribe(body.value.endpoint),
    "push subscription",
    "endpoint",
  );
  return removed.ok ? ok({ object: "push_subscription", endpoint: body.value.endpoint, deleted: true }) : removed;
}
