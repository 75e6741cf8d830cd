/** `GET /admin/tools/seen`: tools that requests of a tenant brought, and that its policy does not list, each with an entry to begin with. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { guessEntry } from "../../policy/infer/infer-tool.ts";
import { queryToolsSeen } from "../../stores/audit/d1-seen-tools.ts";
import { tenantFor } from "../admin/admin-params.ts";
import type { AppEnv } from "../app-env.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { readParams, text } from "../query-params.ts";
import { orTrailUnavailable } from "../reach.ts";

export async function listSeenTools(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(c.req, { tenant: text });
  if (!query.ok) return query;
  const tenant = tenantFor(c.var.principal, query.value.tenant);
  if (!tenant.ok) return tenant;
  const refused = requireAdminOf(c.var.principal, tenant.value);
  if (refused) return err(refused);
  const policy = await loadPolicy(deps, tenant.value);
  if (!policy.ok) return policy;
  const seen = await orTrailUnavailable(deps.audit(tenant.value, (db) => queryToolsSeen(db, tenant.value)));
  if (!seen.ok) return seen;
  const { tools, handshake } = policy.value;
  const unlisted = seen.value.filter(({ name }) => !tools.has(name) && name !== handshake.tool);
  const data = unlisted.map(({ firstAt, lastAt, ...tool }) => ({
    object: "seen_tool",
    ...tool,
    set: guessEntry(tool.name),
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
  }));
  return ok(listBody(data, false));
}
