/** The response to a request that fits no route: it names the methods of the path, the path that was probably meant, or why the gateway refuses that route of OpenAI. */
import type { Context, Hono } from "hono";
import type { RouterRoute } from "hono/types";
import type { AppEnv } from "./app-env.ts";
import { methodNotAllowed, notFound, type Problem, problemResponse } from "./problem.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Prefixes of OpenAI's paths elsewhere, or ones that are written twice. */
const PREFIX = /^(v1|api|openai|proxy)$/i;
/** OpenAI's other paths for a model's answer, and misspelt ones; Azure's paths end alike. */
const CHAT = /(^|\/)(chat\/completions?|chats?|completions?|responses|messages|generate)$/i;

export function unknownRoute(app: Hono<AppEnv>): (c: Context<AppEnv>) => Response {
  const allowedOn = (path: string): string[] => METHODS.filter((method) => routesOf(app, method, path).some(isRoute));
  return (c) => {
    const { method } = c.req;
    const { pathname } = new URL(c.req.url);
    const refused = refusedRoute(pathname);
    if (refused) return problemResponse(refused);
    const allowed = allowedOn(pathname);
    // A route may decline what it serves to other callers.
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

/** Everything that the router would run, middleware included. */
function routesOf(app: Hono<AppEnv>, method: string, path: string): RouterRoute[] {
  return app.router.match(method, path)[0].map(([[, route]]) => route);
}

/** Middleware is for all methods of many paths. */
export const isRoute = (route: RouterRoute | undefined): boolean =>
  route !== undefined && (route.method !== "ALL" || !route.path.endsWith("*"));

const ELSEWHERE = "ask the provider itself";

/** Below `/v1`. On most of them a model would run tools without vetting. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^batches$/, "a batch runs chats whose calls nobody can vet in time: send each to `/v1/chat/completions`"],
  [/^(files|uploads)$/, "files are kept for batches and for tools that the provider runs: put a file into the message"],
  [/^vector_stores$/, "they serve tools that the provider runs: use a tool of the policy in their place"],
  [/^assistants$/, "an assistant runs tools at the provider, where no call can be vetted: use `/v1/responses`"],
  [/^threads$/, "a thread runs tools at the provider, where no call can be vetted: use `/v1/responses`"],
  [/^chatkit$/, "its workflows run tools at the provider, where no call can be vetted: use `/api/chat`"],
  [/^(containers|skills)$/, "they serve tools that the provider runs: use a tool of the policy in their place"],
  [/^realtime$/, "its calls arrive over a socket that is not vetted: use `/v1/chat/completions` with `stream`"],
  [/^fine_tuning$/, `it reads files that are not kept here: ${ELSEWHERE}`],
  [/^(evals|videos|organization)$/, ELSEWHERE],
  [/^responses\/compact$/, "the gateway compacts no conversation: send the items that the model is to see"],
  [/^responses\/input_tokens$/, "the gateway counts no tokens before a request: the reply's `usage` has them"],
  [/^responses\/[^/]+\/cancel$/, "a turn lives as long as its reply: to end it, close the connection"],
];

/** Undefined if the path is none of them. */
function refusedRoute(pathname: string): Problem | undefined {
  if (!pathname.startsWith("/v1/")) return undefined;
  const segments = pathname.slice("/v1/".length).split("/");
  const paths = [segments[0] ?? "", segments.join("/")];
  const refused = REFUSED.find(([pattern]) => paths.some((path) => pattern.test(path)));
  if (!refused) return undefined;
  const name = paths.find((path) => refused[0].test(path)) ?? "";
  const message = `\`/v1/${name.slice(0, 160).toWellFormed()}\` is not served: ${refused[1]}`;
  return { status: 404, type: "invalid_request_error", code: "route_not_served", message };
}
