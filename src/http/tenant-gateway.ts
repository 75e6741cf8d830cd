/** The gateway of a tenant with settings of its own: its deps, kept for the life of the isolate, and its routes. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Deps, Tenants } from "../deps.ts";
import { describeError, log } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { AppEnv } from "./app-env.ts";
import { type Problem, problemResponse, unavailable } from "./problem.ts";

/** Tenants whose deps an isolate keeps. Each takes about a millisecond to make. */
const MAX_GATEWAYS = 32;

/** By tenant and digest; the least recently used first. */
const kept = new WeakMap<Tenants, Map<string, Deps>>();

/** The deps of the tenant's requests: the gateway's own if it has no settings. */
export async function depsOf(deps: Deps, tenant: string): Promise<Result<Deps, Problem>> {
  const { tenants } = deps;
  if (!tenants) return ok(deps);
  try {
    const settings = await tenants.settings.of(tenant, deps.now());
    if (!settings) return ok(deps);
    const known = kept.get(tenants) ?? new Map<string, Deps>();
    kept.set(tenants, known);
    const name = `${settings.digest}:${tenant}`;
    const own = known.get(name) ?? tenants.depsFor(tenant, settings);
    known.delete(name);
    known.set(name, own);
    const [oldest] = known.keys();
    if (known.size > MAX_GATEWAYS && oldest !== undefined) known.delete(oldest);
    if (own.misconfigured === undefined) return ok(own);
    // Only the log says what is wrong with a setting.
    log("error", "tenant_misconfigured", { tenant, message: own.misconfigured });
  } catch (error) {
    log("error", "tenant_settings_unreadable", { tenant, ...describeError(error) });
  }
  return err(unavailable("tenant_unavailable", "the settings of this tenant cannot be used just now; try again later"));
}

/** The context of the gateway's request, from which that of the tenant starts. */
const outer = new WeakMap<Request, Context<AppEnv>>();

const apps = new WeakMap<Deps, Hono<AppEnv>>();

/**
 * Serves requests of tenants with settings of their own by routes that have these. To be mounted behind authentication.
 * @param addRoutes adds all routes behind it.
 */
export function serveTenants(
  deps: Deps,
  addRoutes: (app: Hono<AppEnv>, deps: Deps) => void,
): MiddlewareHandler<AppEnv> {
  const appOf = (own: Deps): Hono<AppEnv> => {
    const known = apps.get(own);
    if (known) return known;
    const app = new Hono<AppEnv>();
    app.use(asWithin);
    addRoutes(app, own);
    apps.set(own, app);
    return app;
  };
  return async (c, next) => {
    const { identity } = c.var.authentication;
    const own = await depsOf(deps, identity.kind === "known" ? identity.principal.tenant : identity.service.tenant);
    if (!own.ok) return problemResponse(own.error);
    if (own.value === deps) return next();
    outer.set(c.req.raw, c);
    return appOf(own.value).fetch(c.req.raw, c.env, c.executionCtx);
  };
}

/** What the gateway's middleware knows of the request, and what it must learn. */
const asWithin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const of = outer.get(c.req.raw);
  if (!of) throw new Error("the routes of a tenant are reached without authentication");
  c.set("authentication", of.var.authentication);
  c.set("principal", of.var.principal);
  c.set("watch", of.var.watch);
  c.set("bytesInFlight", of.var.bytesInFlight);
  await next();
  if (c.var.bodyLease) of.set("bodyLease", c.var.bodyLease);
};
