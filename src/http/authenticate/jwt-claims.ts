/** Reads an issuer's claims: user, role, connections. Pure; the claims are verified. */
import { valueAt } from "../../lib/json/json-value.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { roleRank } from "../../policy/role-order.ts";
import type { JwtIssuer } from "../../settings/jwt-issuers.ts";
import { forbidden, type Problem, unauthorized } from "../problem.ts";
import type { AuthenticatedPrincipal } from "./identity.ts";

type Claims = Readonly<Record<string, unknown>>;

const MAX_CONNECTIONS = 64;

/** @param roles the policy's own, weakest first. */
export function jwtPrincipal(
  issuer: JwtIssuer,
  claims: Claims,
  roles: readonly string[],
): Result<AuthenticatedPrincipal, Problem> {
  const user = readUser(issuer, claims);
  if (!user.ok) return user;
  const role = readRole(issuer, claims, roles);
  if (!role.ok) return role;
  const connections = readConnections(issuer, claims);
  if (!connections.ok) return connections;
  return ok({
    tenant: issuer.tenant,
    user: user.value,
    role: role.value,
    connections: connections.value,
    authenticated: true,
    keyId: `jwt:${issuer.issuer}`,
    // An issuer speaks for its tenant alone.
    operator: false,
  });
}

/** A claim by its own name, which may hold dots (`https://example.com/role`), else by its path (`realm_access.roles`). */
const claimAt = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split("."));

function readUser({ claims: names, userPrefix }: JwtIssuer, claims: Claims): Result<string, Problem> {
  const named = claimAt(claims, names.user);
  if (typeof named !== "string" || named === "")
    return err(invalidToken("token_claims", `the token's claim \`${names.user}\` is missing or not of its type`));
  const user = userPrefix + named;
  if (isName(named) && user.length <= 128) return ok(user);
  return err(invalidToken("token_claims", `the token's claim \`${names.user}\` must have ${NAME_RULE}`));
}

/** A single value must be a role. In a list (groups) values that are no roles are ignored, and the strongest role counts. */
function readRole(issuer: JwtIssuer, claims: Claims, roles: readonly string[]): Result<string, Problem> {
  const claim = claimAt(claims, issuer.claims.role);
  const values = Array.isArray(claim) ? claim : claim === undefined || claim === null ? [] : [claim];
  const meant = values.flatMap((value) => (typeof value === "string" ? (mappedRole(issuer, value) ?? []) : []));
  const known = meant.filter((role) => roleRank(roles, role) !== undefined);
  const none = Array.isArray(claim) ? known.length === 0 : values.length === 0;
  const candidates = none && issuer.defaultRole !== undefined ? [issuer.defaultRole] : known;
  const [strongest] = candidates
    .filter((role) => roleRank(roles, role) !== undefined)
    .sort((a, b) => (roleRank(roles, b) ?? 0) - (roleRank(roles, a) ?? 0));
  if (strongest !== undefined) return ok(strongest);
  const message = `the token's claim \`${issuer.claims.role}\` gives no role that the policy knows; ask an operator`;
  return err(forbidden("role_unknown", message));
}

const mappedRole = ({ roles }: JwtIssuer, value: string): string | undefined => (roles ? roles.get(value) : value);

/** A list, or one text with blanks or commas between, as scopes are written. */
function readConnections({ claims: names }: JwtIssuer, claims: Claims): Result<readonly string[], Problem> {
  const claim = claimAt(claims, names.connections);
  if (claim === undefined || claim === null) return ok([]);
  const list: readonly unknown[] | undefined =
    typeof claim === "string" ? claim.split(/[\s,]+/).filter(Boolean) : Array.isArray(claim) ? claim : undefined;
  if (list && list.length <= MAX_CONNECTIONS && list.every((one): one is string => isName(one))) return ok(list);
  const message = `the token's claim \`${names.connections}\` must be a list of at most ${MAX_CONNECTIONS} names`;
  return err(invalidToken("token_claims", message));
}

/** The form of RFC 6750, so that a client knows to get another token. */
export function invalidToken(code: string, message: string): Problem {
  const headers = { "www-authenticate": 'Bearer realm="toolgate", error="invalid_token"' };
  return { ...unauthorized(code, `${message}; sign in again or ask an operator`), headers };
}
