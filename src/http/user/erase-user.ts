/**
 * `DELETE /v1/users/:id`: erases a person everywhere, and leaves the proof that there were records. `GET /v1/users/:id/erasure`: how far
 * that is. For admins of the tenant (`?tenant=`: an operator of any).
 */
import type { Context, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { ErasureState } from "../../ports/erasure-port.ts";
import { endKeysOf } from "../admin/admin-keys.ts";
import { recordChange } from "../admin/record-change.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { badRequest, notFound } from "../problem.ts";
import { orUnavailable, reachLedger } from "../reach.ts";
import { actorOf, readOwner } from "./named-user.ts";

/** To be mounted at `/v1/users/:id`, behind the middleware that sets `principal`. */
export function erasureRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, { "DELETE /": eraseUser, "GET /erasure": getErasure });
}

async function eraseUser(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const by = actorOf(c, owner.value);
  // Else an admin could take their own acts out of the record, under nobody's eyes.
  const { tenant, user } = c.var.principal;
  const isOneself = by === owner.value.user || (tenant === owner.value.tenant && user === owner.value.user);
  if (isOneself) return err(badRequest("id", "nobody erases themselves; ask another admin"));
  // First: a turn after the erasure would begin a new chain.
  const keys = await reachLedger(endKeysOf(c, deps, owner.value));
  if (!keys.ok) return keys;
  const ordered = await orUnavailable(deps.guardOf(owner.value).erasure.order(owner.value, by));
  if (!ordered.ok) return ordered;
  const { id: subject, isNew } = ordered.value;
  // Without the person's name, which would lead to what is left of them.
  if (isNew) await recordChange(c, deps, owner.value.tenant, { event: "user_erased", subject });
  const { ended, left } = keys.value;
  const view = { ...erasureView(owner.value.user, ordered.value), keys_ended: ended, keys_left: left };
  return ok(Response.json(view, { status: 202 }));
}

async function getErasure(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const state = await orUnavailable(deps.guardOf(owner.value).erasure.state());
  if (!state.ok) return state;
  return state.value ? ok(erasureView(owner.value.user, state.value)) : err(notFound("erasure"));
}

const erasureView = (user: string, { id, by, orderedAt, completedAt, steps, nextAt }: ErasureState) => ({
  object: "user.erasure",
  id,
  user,
  status: completedAt === null ? "in_progress" : "completed",
  steps,
  by,
  ordered_at: isoTime(orderedAt),
  completed_at: isoTimeOrNull(completedAt),
  next_at: isoTimeOrNull(nextAt),
});
