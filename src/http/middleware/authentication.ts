/** The middleware before every route except `/health`: authentication and the rate limit. */
import type { MiddlewareHandler } from "hono";
import type { Deps, Tenants } from "../../deps.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { hasMemberTwice } from "../../lib/json/strict-json.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import type { JwtIssuer } from "../../settings/jwt-issuers.ts";
import { leasedMeter } from "../../stores/objects/leased-meter.ts";
import type { UseResult } from "../../stores/objects/meter-window.ts";
import type { Admission, AppEnv, Authentication } from "../app-env.ts";
import { authenticate } from "../authenticate/authenticate.ts";
import type { AuthenticateDeps, AuthenticatedPrincipal, RequestMeter } from "../authenticate/identity.ts";
import { actFor } from "../authenticate/service-key.ts";
import { loadPolicy } from "../load-policy.ts";
import { badRequest, type Problem, problemResponse, tooManyRequests, unavailable } from "../problem.ts";
import { depsOf } from "../tenant-gateway.ts";

/** Routes that read the whole body anyway: they await the meter beside it, and may find the user in it. */
const READS_BODY = new Set(["POST /v1/chat/completions", "POST /v1/responses", "POST /api/chat"]);

export function authenticateRequest(deps: Deps): MiddlewareHandler<AppEnv> {
  const asks = authenticateDeps(deps);
  const askMeter = leasedMeter(deps.meterOf, deps.now);
  return async (c, next) => {
    const identity = await authenticate(c.req.raw, asks, deps.now());
    if (!identity.ok) return problemResponse(identity.error);
    const { metered } = identity.value;
    const admission = metered && admit(metered, askMeter);
    const authentication = { identity: identity.value, admission };
    c.set("authentication", authentication);
    if (identity.value.kind === "known") {
      c.set("principal", identity.value.principal);
      c.var.watch.authenticated(identity.value.principal);
    }
    if (READS_BODY.has(`${c.req.method} ${c.req.path}`)) {
      await next();
      return admission && setLimitHeaders(c.res, await admission);
    }
    const refusal = await admissionProblem(authentication);
    const principal = refusal ? err(refusal) : principalFor(authentication, undefined);
    if (!principal.ok) c.res = problemResponse(principal.error);
    else await next();
    return admission && setLimitHeaders(c.res, await admission);
  };
}

/** On every answer; replaces the upstream's statement of the gateway's own limit. */
function setLimitHeaders(response: Response, { headers }: Admission): void {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}

export function authenticateDeps(deps: Deps): AuthenticateDeps {
  const { keys, dev, access, issuerKeys, tenants } = deps;
  return {
    keys,
    dev,
    access,
    issuerKeys,
    tenantIssuers: tenants && ((issuer, audiences) => tenantIssuers(deps, tenants, issuer, audiences)),
    async accessOf(tenant) {
      const own = await depsOf(deps, tenant);
      return own.ok ? ok(own.value.access) : own;
    },
    async rolesOf(tenant) {
      const policy = await loadPolicy(deps, tenant);
      return policy.ok ? ok(policy.value.roles) : policy;
    },
  };
}

async function tenantIssuers(
  deps: Deps,
  { settings }: Tenants,
  issuer: string,
  audiences: readonly string[],
): Promise<Result<readonly JwtIssuer[], Problem>> {
  let tenant: string | undefined;
  try {
    tenant = await settings.ofIssuer(issuer, audiences, deps.now());
  } catch (error) {
    log("error", "tenant_settings_unreadable", describeError(error));
    return err(unavailable("tenant_unavailable", "the issuers of tenants cannot be read just now; try again later"));
  }
  if (tenant === undefined) return ok([]);
  const own = await depsOf(deps, tenant);
  return own.ok ? ok(own.value.access.issuers.filter((one) => one.tenant === tenant)) : own;
}

/** Why the request is not admitted. To be awaited before any work is done for it, including parsing the body. */
export const admissionProblem = async ({ admission }: Authentication): Promise<Problem | undefined> =>
  (await admission)?.problem;

/**
 * @param bodyUser the body's `user`: counts only for a service key whose request has no `x-toolgate-user`.
 * @param body the JSON text that holds it.
 */
export function principalFor(
  { identity }: Authentication,
  bodyUser: unknown,
  body = "",
): Result<AuthenticatedPrincipal, Problem> {
  if (identity.kind === "known") return ok(identity.principal);
  // A proxy that added the second one, or a reader that takes the first, means another user.
  if (hasMemberTwice(body, "user")) return err(badRequest("user", "the body holds `user` twice: remove one of them"));
  return actFor(identity.service, bodyUser, "user");
}

type TakeFromMeter = (metered: RequestMeter) => Promise<UseResult>;

const ANSWER_MS = 15_000;

async function admit(metered: RequestMeter, ask: TakeFromMeter): Promise<Admission> {
  try {
    const taken = await withTimeout(ANSWER_MS, ask(metered));
    const headers = limitHeaders(metered.limit, taken);
    if (taken.allowed) return { problem: undefined, headers };
    const seconds = Math.max(1, Math.ceil(taken.retryMs / 1000));
    const most = `${metered.limit.max} requests in ${spellDuration(metered.limit.windowMs)}`;
    const message = `this credential may make ${most}; try again in ${seconds} s`;
    return { problem: tooManyRequests("request_rate_limited", message, seconds), headers };
  } catch (error) {
    log("error", "key_meter_unreachable", describeError(error));
    const message = "the requests of this credential cannot be counted just now; try again later";
    return { problem: unavailable("rate_limit_unavailable", message), headers: {} };
  }
}

function limitHeaders({ max }: RateLimit, { remaining, resetMs }: UseResult): Record<string, string> {
  return {
    "x-ratelimit-limit-requests": String(max),
    "x-ratelimit-remaining-requests": String(remaining),
    "x-ratelimit-reset-requests": spellDuration(Math.max(0, resetMs)),
  };
}

/** As OpenAI spells it: `120ms`, `59s`, `6m0s`, `1h0m0s`. */
function spellDuration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return `${h > 0 ? `${h}h` : ""}${h > 0 || m > 0 ? `${m}m` : ""}${s}s`;
}
