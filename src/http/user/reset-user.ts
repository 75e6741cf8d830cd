/**
 * `GET /v1/users/:id/grants` and `/gates`, `DELETE /v1/users/:id/grants/:grant` and `/gates/:tool`, `POST /v1/users/:id/reset`: what
 * a user has allowed, and what an admin of the tenant withdraws (`?tenant=`: an operator of any). Each act is in the audit trail.
 */
import type { Context, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { ok } from "../../lib/result.ts";
import type { Owner } from "../../session/principal.ts";
import type { AppEnv } from "../app-env.ts";
import { listedGate } from "../approvals/gates.ts";
import { grantView } from "../approvals/grants.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { actorOf, forNamedUser, logChange } from "./named-user.ts";
import { readerLanguage } from "./reader-language.ts";

/** To be mounted at `/v1/users/:id`, behind the middleware that sets `principal`. */
export function userResetRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, {
    "GET /grants": forNamedUser(listGrants),
    "DELETE /grants/:grant": forNamedUser(withdrawGrant),
    "GET /gates": forNamedUser(listGates),
    "DELETE /gates/:tool": forNamedUser(withdrawConsent),
    "POST /reset": forNamedUser(resetUser),
  });
}

async function listGrants(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const policy = await loadPolicy(deps, owner.tenant);
  if (!policy.ok) return policy;
  const grants = await orUnavailable(deps.guardOf(owner).grants.list());
  if (!grants.ok) return grants;
  const language = readerLanguage(policy.value, c.req.raw.headers);
  return ok(listBody(grants.value.map((grant) => grantView(grant, policy.value, language))));
}

async function listGates(deps: Deps, owner: Owner): Promise<HandlerResult> {
  const policy = await loadPolicy(deps, owner.tenant);
  if (!policy.ok) return policy;
  const gates = await orUnavailable(deps.guardOf(owner).gates.list());
  return gates.ok ? ok(listBody(gates.value.map((gate) => listedGate(gate, policy.value)))) : gates;
}

async function withdrawGrant(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const id = c.req.param("grant") ?? "";
  const withdrawn = await orNotFound(deps.guardOf(owner).reset.withdrawGrant(id, actorOf(c, owner)), "grant", "grant");
  if (!withdrawn.ok) return withdrawn;
  logChange("grant_withdrawn", c, owner, { grant: id });
  return ok({ id, object: "grant.deleted", deleted: true });
}

async function withdrawConsent(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const tool = c.req.param("tool") ?? "";
  const withdrawn = await orNotFound(deps.guardOf(owner).reset.withdrawConsent(tool, actorOf(c, owner)), "consent");
  if (!withdrawn.ok) return withdrawn;
  logChange("consent_withdrawn", c, owner, { tool });
  return ok({ object: "gate", tool, open: false });
}

async function resetUser(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const reset = await orUnavailable(deps.guardOf(owner).reset.resetUser(actorOf(c, owner)));
  if (!reset.ok) return reset;
  logChange("user_reset", c, owner, { ...reset.value });
  return ok({ object: "user.reset", user: owner.user, ...reset.value });
}
