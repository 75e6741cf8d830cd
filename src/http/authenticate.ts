/**
 * Who asks: from the headers of a request to a principal, or to the answer that refuses it. Keys never appear in messages.
 */
import { err, ok, type Result } from "../lib/result.ts";
import type { Principal } from "../session/principal.ts";
import type { ApiKey, LookUpKey } from "../stores/kv-keys.ts";
import { badRequest, forbidden, type Problem, unauthorized, unavailable } from "./problem.ts";

export interface AuthenticateDeps {
  readonly keys: LookUpKey;
  /** Whether the development keys exist; told by a start-time variable that is in no deployed configuration. */
  readonly dev: boolean;
}

export interface AuthenticatedPrincipal extends Principal {
  /** Names the key in records and logs; not the key. */
  readonly keyId: string;
  /** May act on every tenant's operators' surfaces, not only on its own. */
  readonly operator: boolean;
}

const developmentRoles = new Map(["guest", "user", "premium", "admin"].map((role) => [`tg-dev-${role}`, role]));

/** @param now milliseconds since the epoch. */
export async function authenticate(
  request: Request,
  deps: AuthenticateDeps,
  now: number,
): Promise<Result<AuthenticatedPrincipal, Problem>> {
  const authorization = request.headers.get("authorization");
  if (authorization === null) {
    return err(
      unauthorized("missing_api_key", "no API key is given; send it in the header `Authorization: Bearer <key>`"),
    );
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return err(invalidKey);
  const namedUser = request.headers.get("x-toolgate-user");
  const role = developmentRoles.get(token);
  if (role !== undefined) {
    return deps.dev && isLoopback(request.url) ? developmentPrincipal(role, namedUser) : err(invalidKey);
  }
  const found = await deps.keys(token, now);
  switch (found.status) {
    case "active":
      return keyPrincipal(found.key, namedUser);
    case "expired":
      return err(unauthorized("invalid_api_key", "the API key has expired; ask an operator for a new one"));
    case "unknown":
      return err(invalidKey);
    case "unavailable":
      return err(unavailable("keys_unavailable", "API keys cannot be looked up just now; try again later"));
  }
}

/** What operators' surfaces ask first; undefined where the principal may go on. */
export function requireAdmin(principal: Principal): Problem | undefined {
  if (principal.role === "admin" && principal.authenticated) return undefined;
  return forbidden("admin_required", "this needs the role `admin`");
}

/** For surfaces that name the tenant that they act on: an admin's own, an operator's any. */
export function requireAdminOf(principal: AuthenticatedPrincipal, tenant: string): Problem | undefined {
  const problem = requireAdmin(principal);
  if (problem || principal.operator || principal.tenant === tenant) return problem;
  return forbidden("tenant_forbidden", "this key may act on its own tenant alone", "tenant");
}

const invalidKey = unauthorized(
  "invalid_api_key",
  "the API key is not valid; check it or ask an operator for a new one",
);

function keyPrincipal(key: ApiKey, namedUser: string | null): Result<AuthenticatedPrincipal, Problem> {
  if (namedUser !== null && namedUser !== key.user) {
    const message = "this API key stands for one user; leave out `x-toolgate-user`, or use a key that acts for others";
    return err(forbidden("user_header_not_allowed", message, "x-toolgate-user"));
  }
  const { tenant, user, role, connections } = key;
  return ok({ tenant, user, role, connections, authenticated: key.anonymous !== true, keyId: key.id, operator: false });
}

function developmentPrincipal(role: string, namedUser: string | null): Result<AuthenticatedPrincipal, Problem> {
  if (namedUser !== null && !isUserId(namedUser)) {
    const message = "`x-toolgate-user` must have 1 to 128 printable characters";
    return err(badRequest("x-toolgate-user", message));
  }
  const keyId = `dev-${role}`;
  const authenticated = role !== "guest";
  return ok({
    tenant: "default",
    user: namedUser ?? keyId,
    role,
    authenticated,
    connections: [],
    keyId,
    operator: role === "admin",
  });
}

/** Printable, and short enough: user ids name objects and stand in records. */
const isUserId = (text: string): boolean => text.length <= 128 && /^\P{C}+$/u.test(text);

/** By the request's own host; `URL` has brought every spelling of an IPv4 address into four decimal numbers. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
