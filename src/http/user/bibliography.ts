/**
 * `/v1/bibliography`: the sources that `search_bibliography` finds. A user's own, and with `scope=tenant` those of all users of
 * the tenant, which every one of them reads and admins write. Sources are CSL-JSON, as Zotero and others export it.
 */

import type { Context, Hono } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import {
  type BibliographyPort,
  type BibliographyScope,
  type KeptSource,
  readSources,
} from "../../tools/builtin/bibliography.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdmin } from "../authenticate/authenticate.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { readLargeBody } from "../large-body.ts";
import { listBody } from "../list-body.ts";
import { badRequest, forbidden, notFound, type Problem, unavailable } from "../problem.ts";
import { limit, type Parameter, readParams, text } from "../query-params.ts";
import { reach } from "../reach.ts";
import { parseJson } from "../read-json.ts";

/** Sources per request. */
const MAX_SOURCES = 1_000;

const sourcesBody = {
  schema: once(() => z.array(z.unknown()).min(1).max(MAX_SOURCES)),
  example: `a list of 1 to ${MAX_SOURCES} sources in CSL-JSON`,
};

const scope: Parameter<"user" | "tenant"> = {
  read: (value) => (value === "user" || value === "tenant" ? value : undefined),
  accepts: "`user` or `tenant`",
};

export function bibliographyRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, {
    "POST /": putSources,
    "GET /": listSources,
    "GET /:id{.+}": getSource,
    "DELETE /:id{.+}": deleteSource,
  });
}

async function putSources(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const params = readParams(c.req, { scope });
  if (!params.ok) return params;
  const problem = mayWrite(c, params.value.scope);
  if (problem) return err(problem);
  const bytes = await readLargeBody(c, deps);
  const body = bytes.ok ? parseJson(bytes.value, sourcesBody) : bytes;
  if (!body.ok) return body;
  const sources = readSources(body.value);
  if ("issues" in sources) {
    const [first] = sources.issues;
    const message = `the source at \`${first?.path}\` does not fit: ${first?.message}`;
    return err({ ...badRequest(first?.path, message, "source_invalid"), errors: sources.issues.slice(0, 100) });
  }
  const put = await reachBibliography(deps, (port) => port.put(scopeOf(c, params.value.scope), sources));
  if (!put.ok) return put;
  if (!put.value)
    return err(badRequest(undefined, "the bibliography would hold too many sources: delete some", "too_many"));
  return ok({ object: "bibliography.update", scope: params.value.scope ?? "user", ...put.value });
}

async function listSources(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const params = readParams(c.req, { scope, limit, after: text, query: text });
  if (!params.ok) return params;
  const { limit: most, after, query } = params.value;
  if (query !== undefined) {
    if (params.value.scope !== undefined || after !== undefined)
      return err(badRequest("query", "a search is of all that the user finds: leave out `scope` and `after`"));
    const found = await reachBibliography(deps, (port) => port.search(c.var.principal, query, most));
    return found.ok ? ok(listBody(found.value.sources.map(view), found.value.more)) : found;
  }
  const page = { limit: most + 1, after };
  const found = await reachBibliography(deps, (port) => port.list(scopeOf(c, params.value.scope), page));
  return found.ok ? ok(listBody(found.value.slice(0, most).map(view), found.value.length > most)) : found;
}

async function getSource(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const params = readParams(c.req, { scope });
  if (!params.ok) return params;
  const found = await reachBibliography(deps, (port) => port.read(scopeOf(c, params.value.scope), idOf(c)));
  if (!found.ok) return found;
  return found.value ? ok(view(found.value)) : err(notFound("source", "id"));
}

async function deleteSource(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const params = readParams(c.req, { scope });
  if (!params.ok) return params;
  const problem = mayWrite(c, params.value.scope);
  if (problem) return err(problem);
  const removed = await reachBibliography(deps, (port) => port.remove(scopeOf(c, params.value.scope), idOf(c)));
  if (!removed.ok) return removed;
  return removed.value
    ? ok({ id: idOf(c), object: "bibliography.deleted", deleted: true })
    : err(notFound("source", "id"));
}

const idOf = (c: Context<AppEnv>): string => c.req.param("id") ?? "";

const view = ({ id, scope: of, csl, updatedAt }: KeptSource) => ({
  id,
  object: "bibliography.source",
  scope: of,
  updated_at: isoTime(updatedAt),
  source: JSON.parse(csl) as unknown,
});

const scopeOf = (c: Context<AppEnv>, of: "user" | "tenant" | undefined): BibliographyScope => ({
  tenant: c.var.principal.tenant,
  user: of === "tenant" ? null : c.var.principal.user,
});

function mayWrite(c: Context<AppEnv>, of: "user" | "tenant" | undefined): Problem | undefined {
  if (of === "tenant") return requireAdmin(c.var.principal);
  return c.var.principal.authenticated ? undefined : forbidden("sign_in_required", "this needs a user who signed in");
}

const NO_DATABASE = unavailable("bibliography_unavailable", "this deployment has no database for built-in tools", 3600);

const NOT_REACHED = unavailable(
  "bibliography_unavailable",
  "the bibliography cannot be reached just now; try again later",
);

async function reachBibliography<T>(
  { bibliography }: Deps,
  work: (port: BibliographyPort) => Promise<T>,
): Promise<Result<T, Problem>> {
  return bibliography ? reach(work(bibliography), "bibliography_unreachable", NOT_REACHED) : err(NO_DATABASE);
}
