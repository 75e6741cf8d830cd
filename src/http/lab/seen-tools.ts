/**
 * Tools that requests of a tenant brought, and that its policy does not list. `GET /admin/tools/seen`: each with an entry to begin
 * with. `GET /admin/policies/:tenant/unlisted-tools`: their names.
 */
import type { Context } from "hono";
import type { SeenToolView } from "../../api-views/policy-views.ts";
import type { Deps } from "../../deps.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { guessEntry } from "../../policy/infer/infer-tool.ts";
import { NAMED_TURNS, queryToolsSeen, type SeenTool } from "../../stores/audit/d1-seen-tools.ts";
import { tenantFor } from "../admin/admin-params.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import type { Problem } from "../problem.ts";
import { readParams, text } from "../query-params.ts";
import { orTrailUnavailable } from "../reach.ts";

export async function listSeenTools(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const tenant = tenantFor(c.var.principal, query.value.tenant);
  if (!tenant.ok) return tenant;
  const refused = requireAdminOf(c.var.principal, tenant.value);
  if (refused) return err(refused);
  const unlisted = await readUnlisted(deps, tenant.value);
  if (!unlisted.ok) return unlisted;
  const data: readonly SeenToolView[] = unlisted.value.map(({ firstAt, lastAt, ...tool }) => ({
    object: "seen_tool",
    ...tool,
    set: guessEntry(tool.name),
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
  }));
  return ok(listBody(data, false));
}

/** The names alone, of the last turns. */
export async function listUnlistedTools(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const unlisted = await readUnlisted(deps, c.req.param("tenant") ?? "", NAMED_TURNS);
  if (!unlisted.ok) return unlisted;
  const names = unlisted.value.map(({ name }) => name).sort();
  return ok(listBody(names.map((name) => ({ object: "unlisted_tool", name }))));
}

async function readUnlisted(deps: Deps, tenant: string, turns?: number): Promise<Result<readonly SeenTool[], Problem>> {
  const policy = await loadPolicy(deps, tenant);
  if (!policy.ok) return policy;
  const seen = await orTrailUnavailable(deps.audit(tenant, (db) => queryToolsSeen(db, tenant, turns)));
  if (!seen.ok) return seen;
  const { tools, handshake } = policy.value;
  return ok(seen.value.filter(({ name }) => !tools.has(name) && name !== handshake.tool));
}
