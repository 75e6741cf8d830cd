/**
 * Authenticates a request: from its headers to an identity, or to the answer that refuses it. Each kind of credential has a file in
 * `authenticate/`. Keys and tokens never appear in messages.
 */
import { lengthPrefixed } from "../../lib/digest.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ApiKey } from "../../ports/api-key.ts";
import type { Principal } from "../../session/principal.ts";
import type { AccessSettings } from "../../settings/access.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import { networkOf } from "../network.ts";
import { forbidden, type Problem, tooManyRequests, unauthorized, unavailable } from "../problem.ts";
import { developmentPrincipal, developmentRole, maySendDevelopmentKey } from "./development-key.ts";
import type { AuthenticateDeps, AuthenticatedPrincipal, Identity, RequestMeter } from "./identity.ts";
import { jwtPrincipal } from "./jwt-claims.ts";
import { actFor, checkOwnHeaders, namedInHeader, pendingPrincipal } from "./service-key.ts";

/** @param now milliseconds since the epoch. */
export async function authenticate(
  request: Request,
  deps: AuthenticateDeps,
  now: number,
): Promise<Result<Identity, Problem>> {
  const authorization = request.headers.get("authorization");
  if (authorization === null) {
    return err(
      unauthorized(
        "missing_api_key",
        "no API key is given; send a Toolgate key, not your provider's, in the header `Authorization: Bearer <key>`",
      ),
    );
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return err(invalidKey(authorization));
  const role = developmentRole(token);
  if (role !== undefined) {
    if (!deps.dev) return err(invalidKey(authorization));
    return maySendDevelopmentKey(request) ? byDevelopmentKey(role, request.headers, deps) : err(developmentKeyRefused);
  }
  if ((deps.access.issuers.length > 0 || deps.tenantIssuers) && looksLikeJwt(token))
    return byJwt(token, request.headers, deps, now);
  const found = await deps.keys(token, now, networkOf(request.headers));
  switch (found.status) {
    case "active":
      return byKey(found.key, request.headers, deps);
    case "expired":
      return err(unauthorized("invalid_api_key", "the API key has expired; ask an operator for a new one"));
    case "unknown":
      return err(invalidKey(authorization));
    case "throttled":
      return err(tooManyRequests("too_many_unknown_keys", tooManyUnknown, 60));
    case "unavailable":
      return err(unavailable("keys_unavailable", "API keys cannot be looked up just now; try again later"));
  }
}

const tooManyUnknown = "too many API keys that do not exist have been sent; check the key, and try again in a minute";

/** The check of operators' surfaces; undefined if the principal is an admin. */
export function requireAdmin(principal: Principal): Problem | undefined {
  if (principal.role === "admin" && principal.authenticated) return undefined;
  return forbidden("admin_required", "this needs the role `admin`");
}

/** The check of operators' surfaces if a request names a tenant: an admin acts on its own tenant, an operator on every one. */
export function requireAdminOf(principal: AuthenticatedPrincipal, tenant: string): Problem | undefined {
  const problem = requireAdmin(principal);
  if (problem || principal.operator || principal.tenant === tenant) return problem;
  return forbidden("tenant_forbidden", "this key is an admin's of another tenant", "tenant");
}

/** For requests that concern all tenants. */
export function requireOperator(principal: AuthenticatedPrincipal): Problem | undefined {
  return principal.operator ? undefined : forbidden("operator_required", "this needs an operator's key");
}

const developmentKeyRefused = unauthorized(
  "invalid_api_key",
  "a development key opens for this machine alone: ask by `localhost`, from no page of another origin, or make an API key",
);

function byDevelopmentKey(role: string, headers: Headers, { access }: AuthenticateDeps): Result<Identity, Problem> {
  const principal = developmentPrincipal(role, headers.get("x-toolgate-user"));
  if (!principal.ok) return principal;
  const problem = checkOwnHeaders(headers, principal.value);
  if (problem) return err(problem);
  return ok({ kind: "known", principal: principal.value, metered: principalMeter(principal.value, access) });
}

async function byKey(key: ApiKey, headers: Headers, deps: AuthenticateDeps): Promise<Result<Identity, Problem>> {
  const access = await deps.accessOf(key.tenant);
  if (!access.ok) return access;
  return key.actsFor === true
    ? byServiceKey(key, headers, access.value, deps)
    : ownKeyIdentity(key, headers, access.value.rateLimit);
}

async function byServiceKey(
  key: ApiKey,
  headers: Headers,
  access: AccessSettings,
  deps: AuthenticateDeps,
): Promise<Result<Identity, Problem>> {
  const named = namedInHeader(headers);
  if (!named.ok) return named;
  const roles = headers.has("x-toolgate-role") ? await deps.rolesOf(key.tenant) : ok([]);
  if (!roles.ok) return roles;
  const service = pendingPrincipal(key, headers, roles.value, reservedIn(key.tenant, access));
  if (!service.ok) return service;
  const metered = keyMeter(key, access.rateLimit);
  if (named.value === undefined) return ok({ kind: "pending", service: service.value, metered });
  const principal = actFor(service.value, named.value, "x-toolgate-user");
  return principal.ok ? ok({ kind: "known", principal: principal.value, metered }) : principal;
}

/** Three parts of base64url; an API key has no dots. */
const looksLikeJwt = (token: string): boolean => token.split(".").length === 3;

let jwt: typeof import("./jwt.ts") | undefined;

async function byJwt(
  token: string,
  headers: Headers,
  deps: AuthenticateDeps,
  now: number,
): Promise<Result<Identity, Problem>> {
  jwt ??= await import("./jwt.ts");
  const verified = await jwt.verifyJwt(token, deps, now);
  if (!verified.ok) return verified;
  const { issuer, claims } = verified.value;
  const access = await deps.accessOf(issuer.tenant);
  if (!access.ok) return access;
  const roles = await deps.rolesOf(issuer.tenant);
  if (!roles.ok) return roles;
  const principal = jwtPrincipal(issuer, claims, roles.value);
  if (!principal.ok) return principal;
  const problem = checkOwnHeaders(headers, principal.value);
  if (problem) return err(problem);
  return ok({ kind: "known", principal: principal.value, metered: principalMeter(principal.value, access.value) });
}

/** A credential that is no stored key is counted by user. */
function principalMeter(
  { tenant, user, keyId }: AuthenticatedPrincipal,
  { rateLimit: limit }: AccessSettings,
): RequestMeter | undefined {
  return limit && { meter: lengthPrefixed("principal", tenant, user, keyId), limit };
}

const reservedIn = (tenant: string, { issuers }: AccessSettings): string[] =>
  issuers.filter((one) => one.tenant === tenant && one.userPrefix !== "").map(({ userPrefix }) => userPrefix);

/** How other vendors' keys begin; the first match counts. */
const VENDORS: readonly (readonly [beginning: string, vendor: string])[] = [
  ["sk-ant-", "an Anthropic"],
  ["sk-or-", "an OpenRouter"],
  ["sk-", "an OpenAI"],
  ["AIza", "a Google"],
  ["gsk_", "a Groq"],
  ["xai-", "an xAI"],
  ["hf_", "a Hugging Face"],
];

/** @param authorization the whole header. */
function invalidKey(authorization: string): Problem {
  const [, scheme = "", token = ""] = /^(\S+) *(.*)$/s.exec(authorization) ?? [];
  return unauthorized("invalid_api_key", `${mistake(scheme.toLowerCase(), token)} or ask an operator for a new one`);
}

function mistake(scheme: string, token: string): string {
  if (scheme === "basic") return "`Basic` credentials are not accepted; send a key as `Authorization: Bearer tg_…`,";
  const vendor = VENDORS.find(([beginning]) => token.startsWith(beginning) || scheme.startsWith(beginning))?.[1];
  if (vendor !== undefined) return `that looks like ${vendor} key; Toolgate's begin with \`tg_\`: send yours,`;
  return "the API key is not valid; check it";
}

function ownKeyIdentity(key: ApiKey, headers: Headers, byDefault: RateLimit | undefined): Result<Identity, Problem> {
  const { tenant, user, role, connections, id: keyId } = key;
  const authenticated = key.anonymous !== true;
  const operator = key.operator === true && role === "admin" && authenticated;
  const principal = { tenant, user, role, connections, authenticated, keyId, operator };
  const problem = checkOwnHeaders(headers, principal);
  return problem ? err(problem) : ok({ kind: "known", principal, metered: keyMeter(key, byDefault) });
}

/** Undefined for a key without a limit: nothing is counted. */
function keyMeter({ tenant, id, rateLimit }: ApiKey, byDefault: RateLimit | undefined): RequestMeter | undefined {
  const limit = rateLimit === undefined ? byDefault : rateLimit;
  return limit ? { meter: lengthPrefixed("key", tenant, id), limit } : undefined;
}
