/** What a request is answered with that fits no route: which method the path has, or which path was probably meant. */

import type { Context, Hono } from "hono";
import type { RouterRoute } from "hono/types";
import type { AppEnv } from "./app-env.ts";
import { methodNotAllowed, notFound, problemResponse } from "./problem.ts";
import { refusedRoute } from "./refused-routes.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What stands before OpenAI's paths elsewhere, or is written twice. */
const PREFIX = /^(v1|api|openai|proxy)$/i;
/** OpenAI's other ways to have a model answer, and misspelt ones; Azure's paths end alike. */
const CHAT = /(^|\/)(chat\/completions?|chats?|completions?|responses|messages|generate)$/i;

export function unknownRoute(app: Hono<AppEnv>): (c: Context<AppEnv>) => Response {
  const allowedOn = (path: string): string[] => METHODS.filter((method) => routesOf(app, method, path).some(isRoute));
  return (c) => {
    const { method } = c.req;
    const { pathname } = new URL(c.req.url);
    const refused = refusedRoute(pathname);
    if (refused) return problemResponse(refused);
    const allowed = allowedOn(pathname);
    // A route may decline what it serves to others.
    if (allowed.length > 0 && !allowed.includes(method === "HEAD" ? "GET" : method))
      return problemResponse(methodNotAllowed(method, allowed));
    const meant = likelyPaths(pathname).find((path) => path !== pathname && allowedOn(path).length > 0);
    const advice = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
    return problemResponse(notFound(`route: ${method} ${pathname}${advice}`));
  };
}

function likelyPaths(pathname: string): string[] {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const first = segments.findIndex((segment) => !PREFIX.test(segment));
  if (first === -1) return [];
  const rest = segments.slice(first).join("/");
  return [`/v1/${rest}`, `/${rest}`, ...(CHAT.test(rest) ? ["/v1/chat/completions"] : [])];
}

/** All that the router would run, middleware included. */
function routesOf(app: Hono<AppEnv>, method: string, path: string): RouterRoute[] {
  return app.router.match(method, path)[0].map(([[, route]]) => route);
}

/** Middleware is for all methods of many paths. */
export const isRoute = (route: RouterRoute | undefined): boolean =>
  route !== undefined && (route.method !== "ALL" || !route.path.endsWith("*"));
