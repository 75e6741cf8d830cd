/**
 * OAuth 2.1 for clients of `/mcp` (RFC 9728): where they get tokens that the gateway believes. They register at the issuer itself, which
 * says in its own metadata whether it takes clients that it has not heard of.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { notFound } from "../problem.ts";

const METADATA = "/.well-known/oauth-protected-resource";

/** Open: who has no token yet must read it. */
export function getProtectedResource(c: Context<AppEnv>, deps: Deps): HandlerResult {
  const servers = issuersOf(deps);
  if (servers.length === 0) return err(notFound("document: the gateway believes no issuer (`JWT_ISSUERS`)"));
  const metadata = {
    resource: `${addressOf(c.req.raw, deps)}/mcp`,
    authorization_servers: servers,
    bearer_methods_supported: ["header"],
    resource_name: "Toolgate",
  };
  return ok(Response.json(metadata, { headers: { "access-control-allow-origin": "*" } }));
}

/** What a client that was refused gets besides; undefined where keys alone are believed. */
export function metadataHint(request: Request, deps: Deps): string | undefined {
  if (issuersOf(deps).length === 0) return undefined;
  return `resource_metadata="${addressOf(request, deps)}${METADATA}/mcp"`;
}

/** Issuers that are no addresses cannot be reached. */
const issuersOf = ({ access: { issuers } }: Deps): readonly string[] => [
  ...new Set(issuers.map(({ issuer }) => issuer).filter((issuer) => /^https?:\/\//.test(issuer))),
];

const addressOf = ({ url }: Request, { webhooks: { publicUrl } }: Deps): string => publicUrl ?? new URL(url).origin;
