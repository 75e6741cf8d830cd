/**
 * OAuth 2.1 for clients of `/mcp` (RFC 9728): where they get tokens that the gateway accepts. They register at the issuer itself,
 * whose own metadata says whether it accepts unknown clients.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { notFound } from "../problem.ts";

const METADATA = "/.well-known/oauth-protected-resource";

/** Open: a client without a token must be able to read it. */
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

/** A header for a client that was refused; undefined if only keys are accepted. */
export function metadataHint(request: Request, deps: Deps): string | undefined {
  if (issuersOf(deps).length === 0) return undefined;
  return `resource_metadata="${addressOf(request, deps)}${METADATA}/mcp"`;
}

/** Issuers that are no URLs cannot be reached. */
const issuersOf = ({ access: { issuers } }: Deps): readonly string[] => [
  ...new Set(issuers.map(({ issuer }) => issuer).filter((issuer) => /^https?:\/\//.test(issuer))),
];

const addressOf = ({ url }: Request, { webhooks: { publicUrl } }: Deps): string => publicUrl ?? new URL(url).origin;
