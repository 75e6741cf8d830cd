/**
 * `DELETE /v1/users/:id`: erases a person everywhere, and leaves the proof that there were records. `GET /v1/users/:id/erasure`: its
 * progress. For admins of the tenant (`?tenant=`: an operator of any).
 */
import type { Context, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { ErasureState } from "../../ports/erasure-port.ts";
import type { Owner } from "../../session/principal.ts";
import { endKeysOf } from "../admin/admin-keys.ts";
import { recordChange } from "../admin/record-change.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { badRequest } from "../problem.ts";
import { orNotFound, orUnavailable, reachLedger } from "../reach.ts";
import { actorOf, forNamedUser } from "./named-user.ts";

/** To be mounted at `/v1/users/:id`, behind the middleware that sets `principal`. */
export function erasureRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, { "DELETE /": forNamedUser(eraseUser), "GET /erasure": forNamedUser(getErasure) });
}

async function eraseUser(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const by = actorOf(c, owner);
  // Otherwise an admin could remove their own acts from the record, without a second person.
  const { tenant, user } = c.var.principal;
  const isOneself = by === owner.user || (tenant === owner.tenant && user === owner.user);
  if (isOneself) return err(badRequest("id", "nobody erases themselves; ask another admin"));
  // First: a turn after the erasure would begin a new chain.
  const keys = await reachLedger(endKeysOf(c, deps, owner));
  if (!keys.ok) return keys;
  const ordered = await orUnavailable(deps.guardOf(owner).erasure.order(owner, by));
  if (!ordered.ok) return ordered;
  const { id: subject, isNew } = ordered.value;
  // Without the person's name, which would lead to what is left of them.
  if (isNew) await recordChange(c, deps, owner.tenant, { event: "user_erased", subject });
  const { ended, left } = keys.value;
  const view = { ...erasureView(owner.user, ordered.value), keys_ended: ended, keys_left: left };
  return ok(Response.json(view, { status: 202 }));
}

async function getErasure(deps: Deps, owner: Owner): Promise<HandlerResult> {
  const state = await orNotFound(deps.guardOf(owner).erasure.state(), "erasure");
  return state.ok ? ok(erasureView(owner.user, state.value)) : state;
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
