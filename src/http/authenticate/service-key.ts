/**
 * A key that acts for others: the person is the header `x-toolgate-user`, else the body's `user`; the role is `x-toolgate-role` up to
 * the key's own; the connections are those of `x-toolgate-connections` among the key's own. Without these headers the key's own role
 * and connections apply. Pure.
 */
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isWithin, roleRank } from "../../policy/role-order.ts";
import type { ApiKey } from "../../ports/api-key.ts";
import type { Principal } from "../../session/principal.ts";
import { badRequest, forbidden, type Problem } from "../problem.ts";
import type { AuthenticatedPrincipal, PendingPrincipal } from "./identity.ts";

/**
 * @param roles the policy's own, weakest first.
 * @param reserved prefixes of names that belong to the users of an issuer of the key's tenant.
 */
export function pendingPrincipal(
  key: ApiKey,
  headers: Headers,
  roles: readonly string[],
  reserved: readonly string[],
): Result<PendingPrincipal, Problem> {
  const role = readRole(key, headers.get("x-toolgate-role"), roles);
  if (!role.ok) return role;
  const connections = readConnections(key, headers.get("x-toolgate-connections"));
  if (!connections.ok) return connections;
  return ok({
    tenant: key.tenant,
    role: role.value,
    connections: connections.value,
    authenticated: key.anonymous !== true,
    keyId: key.id,
    // The client says whom it acts for; that must not reach beyond the tenant.
    operator: false,
    userPrefix: key.userPrefix ?? "",
    reserved,
  });
}

/** The user of `x-toolgate-user`; undefined if the header is absent. */
export function namedInHeader(headers: Headers): Result<string | undefined, Problem> {
  const named = headers.get("x-toolgate-user");
  if (named === null) return ok(undefined);
  // Other characters depend on who decodes the header: two spellings could be one user.
  if (!/^[\x20-\x7e]*$/.test(named)) {
    const message = "`x-toolgate-user` can hold ASCII alone; send an id without other characters, or the body's `user`";
    return err(badRequest("x-toolgate-user", message));
  }
  if (isNamedTwice(named)) return err(badRequest("x-toolgate-user", NAMED_TWICE));
  return ok(named);
}

/** @param param where the user was named, for the refusal. */
export function actFor(
  { userPrefix, reserved, ...principal }: PendingPrincipal,
  named: unknown,
  param: string,
): Result<AuthenticatedPrincipal, Problem> {
  if (named === undefined || named === null || named === "") return err(userRequired);
  const user = isName(named) ? userPrefix + named : undefined;
  if (user === undefined || user.length > 128) return err(badRequest(param, `\`${param}\` must have ${NAME_RULE}`));
  // Checked with the prefix: `j` and `wt:ada` would be one of them, too.
  if (reserved.some((beginning) => user.startsWith(beginning))) {
    const message = `\`${param}\` begins as the names of users who sign in with a token do; this key cannot name them`;
    return err(forbidden("user_reserved", message, param));
  }
  return ok({ ...principal, user });
}

const userRequired = badRequest(
  "x-toolgate-user",
  "this key acts for others: name the user in the header `x-toolgate-user`, or in the `user` of a chat completion",
  "user_required",
);

function readRole(key: ApiKey, named: string | null, roles: readonly string[]): Result<string, Problem> {
  if (named === null) return ok(key.defaultRole ?? key.role);
  if (roleRank(roles, named) === undefined) {
    const known = roles.map((role) => `\`${role}\``).join(", ");
    return err(forbidden("role_unknown", `the policy has no role \`${named}\`; it has ${known}`, "x-toolgate-role"));
  }
  if (isWithin(roles, named, key.role)) return ok(named);
  const message = `this key may act in roles up to \`${key.role}\`, and \`${named}\` is above it`;
  return err(forbidden("role_forbidden", message, "x-toolgate-role"));
}

function readConnections(key: ApiKey, header: string | null): Result<readonly string[], Problem> {
  if (header === null) return ok(key.connections);
  const named = header.split(",").map((one) => one.trim());
  const connections = named.filter((one) => one !== "");
  const other = connections.find((one) => !key.connections.includes(one));
  if (other === undefined) return ok(connections);
  const message = `this key cannot act with the connection \`${other}\`: it is none of the key's own`;
  return err(forbidden("connection_forbidden", message, "x-toolgate-connections"));
}

/**
 * Headers of one name come as one, joined by `, `: a proxy that adds one to the client's makes one user of two. The same id twice is
 * recognised; two ids are not, as one id may hold a comma (`Doe, Jane`) and reads no differently. Pure.
 */
export const isNamedTwice = (user: string): boolean => user.length <= MAX_UNITS && /^(.+)(?:, \1)+$/u.test(user);

/** UTF-16 units: longer ones are no names, and the expression's time grows with the square. */
const MAX_UNITS = 128;

export const NAMED_TWICE = "`x-toolgate-user` names one user twice: send the header once, and let a proxy replace it";

/** They may repeat what the credential says, and claim nothing else. */
export function checkOwnHeaders(headers: Headers, { user, role }: Principal): Problem | undefined {
  const only = "; leave it out, or use a key that acts for others";
  const named = headers.get("x-toolgate-user");
  if (named !== null && named !== user) {
    const message = `this credential stands for one user, whom \`x-toolgate-user\` cannot change${only}`;
    return forbidden("user_header_not_allowed", message, "x-toolgate-user");
  }
  const namedRole = headers.get("x-toolgate-role");
  if (namedRole !== null && namedRole !== role) {
    const message = `this credential has one role, which \`x-toolgate-role\` cannot change${only}`;
    return forbidden("role_header_not_allowed", message, "x-toolgate-role");
  }
  if (headers.has("x-toolgate-connections")) {
    const message = `the connections of this credential cannot be changed by \`x-toolgate-connections\`${only}`;
    return forbidden("connections_header_not_allowed", message, "x-toolgate-connections");
  }
  return undefined;
}
