/** The four keys of `npm start`: they are public, so they work on loopback only, and only if the start enables them. */
import { isLoopbackHost } from "../../lib/host.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";
import type { AuthenticatedPrincipal } from "./identity.ts";
import { isNamedTwice, NAMED_TWICE } from "./service-key.ts";

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
 * Decided by the request's own host. Any client can write headers that name another host (`x-forwarded-host`). A page that a browser
 * loaded from elsewhere sends its origin, and gets nothing with a public key.
 */
export function maySendDevelopmentKey({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  const origin = headers.get("origin");
  return isLoopback(url) && (origin === null || isLoopback(origin));
}

export const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
