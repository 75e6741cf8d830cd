/**
 * `/console`: the web pages, from the static assets. They need no key: the page asks the API for its data with the person's own. Only
 * the console's files are reachable among the assets, by names that are matched here.
 */
import { type Context, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import { isLoopback } from "../authenticate/development-key.ts";
import { type HandlerResult, handlerWith, refuseIf } from "../handler.ts";
import { notFound, unavailable } from "../problem.ts";
import { beginSignIn, endSignIn, signInLimit } from "./sign-in.ts";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** As the build names them, by content. */
const BUILT_FILE = /^[a-z][a-z-]*-[A-Z0-9]{8}\.(js|css|svg|woff2)$/;
/** A route of the page itself: without dots, so that no file name is taken for one. */
const PAGE = /^(\/[\w-]+)*\/?$/;

export function consoleRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.res.headers.set(name, value);
  });
  routes.get("/config.json", (c) => c.json(configOf(c, deps), 200, { "cache-control": "no-store" }));
  const limit = signInLimit();
  const admit = refuseIf((c) => limit(c.req.raw.headers, deps.now()));
  const handle = handlerWith(deps);
  routes.post("/sign-in", admit, handle(beginSignIn));
  routes.post("/token", admit, handle(endSignIn));
  routes.get("/files/:file", handle(getFile));
  routes.get("/*", handle(getPage));
  return routes;
}

async function getFile(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const file = c.req.param("file") ?? "";
  const type = TYPES[BUILT_FILE.exec(file)?.[1] ?? ""];
  if (type === undefined) return err(notFound("file"));
  return asset(deps, `files/${file}`, {
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    // It lies below the pages that it is for.
    ...(file.startsWith("push-worker-") ? { "service-worker-allowed": "/console/" } : {}),
  });
}

async function getPage(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  if (!PAGE.test(c.req.path.slice("/console".length))) return err(notFound("page"));
  return asset(deps, "index.html", { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" });
}

async function asset({ assets }: Deps, path: string, headers: Record<string, string>): Promise<HandlerResult> {
  // The binding reads only the path.
  const found = await assets?.fetch(`https://assets.invalid/console/${path}`);
  if (found?.ok) return ok(new Response(found.body, { headers }));
  if (path !== "index.html") return err(notFound("file"));
  return err(unavailable("console_missing", "the console is not built: `npm run console` builds it", 60));
}

function configOf(c: Context<AppEnv>, { dev, signIn, access, push }: Deps) {
  return {
    /** Whether keys without a secret work here. */
    development: dev && isLoopback(c.req.url),
    tokens: access.issuers.length > 0,
    /** The public key that browsers subscribe with. */
    push: push ? { key: push.keys.publicKey } : null,
    sign_in: signIn ? { name: signIn.name } : null,
  };
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
