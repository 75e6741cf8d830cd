/**
 * `GET /v1/users/:id/grants` and `/gates`, `DELETE /v1/users/:id/grants/:grant` and `/gates/:tool`, `POST /v1/users/:id/reset`: what a
 * user has allowed, and what an admin of the tenant takes back (`?tenant=`: an operator of any). Each act is in the audit trail.
 */
import type { Context, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import { listedGate } from "../approvals/gates.ts";
import { grantView } from "../approvals/grants.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { notFound } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { actorOf, logChange, readOwner } from "./named-user.ts";
import { readerLanguage } from "./reader-language.ts";

/** To be mounted at `/v1/users/:id`, behind the middleware that sets `principal`. */
export function userResetRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, {
    "GET /grants": listGrants,
    "DELETE /grants/:grant": withdrawGrant,
    "GET /gates": listGates,
    "DELETE /gates/:tool": withdrawConsent,
    "POST /reset": resetUser,
  });
}

async function listGrants(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const policy = await loadPolicy(deps, owner.value.tenant);
  if (!policy.ok) return policy;
  const grants = await orUnavailable(deps.guardOf(owner.value).grants.list());
  if (!grants.ok) return grants;
  const language = readerLanguage(policy.value, c.req.raw.headers);
  return ok(listBody(grants.value.map((grant) => grantView(grant, policy.value, language))));
}

async function listGates(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const policy = await loadPolicy(deps, owner.value.tenant);
  if (!policy.ok) return policy;
  const gates = await orUnavailable(deps.guardOf(owner.value).gates.list());
  return gates.ok ? ok(listBody(gates.value.map((gate) => listedGate(gate, policy.value)))) : gates;
}

async function withdrawGrant(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const id = c.req.param("grant") ?? "";
  const withdrawn = await orUnavailable(deps.guardOf(owner.value).reset.withdrawGrant(id, actorOf(c, owner.value)));
  if (!withdrawn.ok) return withdrawn;
  if (!withdrawn.value) return err(notFound("grant", "grant"));
  logChange("grant_withdrawn", c, owner.value, { grant: id });
  return ok({ id, object: "grant.deleted", deleted: true });
}

async function withdrawConsent(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const tool = c.req.param("tool") ?? "";
  const withdrawn = await orUnavailable(deps.guardOf(owner.value).reset.withdrawConsent(tool, actorOf(c, owner.value)));
  if (!withdrawn.ok) return withdrawn;
  if (!withdrawn.value) return err(notFound("consent"));
  logChange("consent_withdrawn", c, owner.value, { tool });
  return ok({ object: "gate", tool, open: false });
}

async function resetUser(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const owner = readOwner(c);
  if (!owner.ok) return owner;
  const reset = await orUnavailable(deps.guardOf(owner.value).reset.resetUser(actorOf(c, owner.value)));
  if (!reset.ok) return reset;
  logChange("user_reset", c, owner.value, { ...reset.value });
  return ok({ object: "user.reset", user: owner.value.user, ...reset.value });
}
