/**
 * CORS: the headers that let a page of another origin call the gateway and read its answer. Stricter than `hono/cors`, which answers
 * every OPTIONS request, and allows credentials to origins that it does not allow.
 */
import type { MiddlewareHandler } from "hono";
import type { CorsSettings } from "../../settings/cors.ts";

/** Headers of an answer that pages need; a browser hides all others from them. */
const EXPOSED = [
  "x-toolgate-turn",
  "x-toolgate-session",
  "x-toolgate-state",
  "x-toolgate-intent",
  "x-toolgate-policy",
  "x-toolgate-upstream",
  "x-toolgate-upstream-attempts",
  "x-request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "etag",
  "www-authenticate",
  "server-timing",
  ...["limit", "remaining", "reset"].flatMap((what) => [`x-ratelimit-${what}-requests`, `x-ratelimit-${what}-tokens`]),
  "openai-processing-ms",
  "openai-version",
  "openai-model",
].join(", ");

const METHODS = "GET, POST, PUT, PATCH, DELETE";
/** Seconds. Browsers cap it; a changed setting takes effect after it. */
const MAX_AGE = "600";

/**
 * Answers preflights, before authentication: a browser sends no key with them. Credentials that a browser adds automatically are
 * allowed only to origins that the settings name; `/console`, which has them, and the pages of signed links are for no other origin
 * at all.
 */
export function cors({ any, origins }: CorsSettings): MiddlewareHandler {
  return async (c, next) => {
    if (/^\/(console|approve)(\/|$)/.test(c.req.path)) return next();
    const origin = c.req.header("origin");
    const allowed = origin !== undefined && (any || origins.has(origin));
    const headers: [string, string][] = [];
    if (allowed) headers.push(["access-control-allow-origin", any ? "*" : origin]);
    if (allowed && !any) headers.push(["access-control-allow-credentials", "true"]);
    const method = c.req.header("access-control-request-method");
    if (c.req.method === "OPTIONS" && origin !== undefined && method !== undefined) {
      return preflight(allowed, headers, c.req.header("access-control-request-headers"));
    }
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
    if (allowed) c.res.headers.set("access-control-expose-headers", EXPOSED);
    // Also if nothing was allowed: a cache must not give this answer to another origin.
    if (!any) c.res.headers.append("vary", "Origin");
  };
}

function preflight(allowed: boolean, headers: [string, string][], requested: string | undefined): Response {
  const answer = new Headers(headers);
  answer.set("vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
  if (!allowed) return new Response(null, { status: 204, headers: answer });
  answer.set("access-control-allow-methods", METHODS);
  // The headers that frontends send cannot be listed; `*` would leave out `authorization`.
  if (requested && /^[\w\-, ]{1,2048}$/.test(requested)) answer.set("access-control-allow-headers", requested);
  answer.set("access-control-max-age", MAX_AGE);
  return new Response(null, { status: 204, headers: answer });
}
