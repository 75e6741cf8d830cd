/** The four keys of `npm start`: nobody's secret, so they open on loopback alone, and only where the start says so. */
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";
import type { AuthenticatedPrincipal } from "./identity.ts";
import { isNamedTwice, NAMED_TWICE } from "./named-twice.ts";

const roles = new Map(["guest", "user", "premium", "admin"].map((role) => [`tg-dev-${role}`, role]));

/** The role of a development key; undefined for any other token. */
export const developmentRole = (token: string): string | undefined => roles.get(token);

export function developmentPrincipal(role: string, namedUser: string | null): Result<AuthenticatedPrincipal, Problem> {
  if (namedUser !== null && !isName(namedUser))
    return err(badRequest("x-toolgate-user", `\`x-toolgate-user\` must have ${NAME_RULE}`));
  if (namedUser !== null && isNamedTwice(namedUser)) return err(badRequest("x-toolgate-user", NAMED_TWICE));
  const keyId = `dev-${role}`;
  return ok({
    tenant: "default",
    user: namedUser ?? keyId,
    role,
    authenticated: role !== "guest",
    connections: [],
    keyId,
    operator: role === "admin",
  });
}

/**
 * By the request's own host; `URL` has brought every spelling of an IPv4 address into four decimal numbers. What a header
 * says of the host (`x-forwarded-host`) anybody can write.
 */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
