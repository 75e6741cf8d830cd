/** Reads the queries of `/v1/approvals`. Pure. */

import { type ApprovalStatus, approvalStatuses } from "../../approvals/approval.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ApprovalsQuery } from "../../ports/approvals-port.ts";
import { requireAdminOf } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { badRequest, type Problem } from "../problem.ts";
import { limit, order, type Parameter, readParams, text } from "../query-params.ts";

const status: Parameter<ApprovalStatus> = {
  read: (value) => approvalStatuses.find((one) => one === value),
  accepts: `one of ${approvalStatuses.map((one) => `\`${one}\``).join(", ")}`,
};
const scope: Parameter<"own" | "tenant"> = {
  read: (value) => (value === "own" || value === "tenant" ? value : undefined),
  accepts: "`own` or `tenant`",
};
const version: Parameter<number> = {
  read: readVersion,
  accepts: "the `id` of an event",
};

/** Undefined: the principal's own. */
type NamedTenant = string | undefined;

interface ListQuery {
  readonly tenant: NamedTenant;
  readonly query: ApprovalsQuery;
}

export function readListQuery(request: Pick<Request, "url">, who: AuthenticatedPrincipal): Result<ListQuery, Problem> {
  const read = readParams(request, { scope, tenant: text, status, limit, after: text, order });
  if (!read.ok) return read;
  const tenant = tenantOf(read.value, who);
  if (!tenant.ok) return tenant;
  const { scope: _, tenant: __, ...query } = read.value;
  return ok({ tenant: tenant.value, query });
}

interface EventsQuery {
  readonly tenant: NamedTenant;
  /** The `id` of the last event that the client has; undefined: it has none. */
  readonly after: number | undefined;
}

/**
 * @param lastEventId the header: what the client got since it made its query. A value that is no version of ours starts from the
 * beginning.
 */
export function readEventsQuery(
  request: Pick<Request, "url">,
  lastEventId: string | null,
  who: AuthenticatedPrincipal,
): Result<EventsQuery, Problem> {
  const read = readParams(request, { scope, tenant: text, after: version });
  if (!read.ok) return read;
  const tenant = tenantOf(read.value, who);
  if (!tenant.ok) return tenant;
  return ok({ tenant: tenant.value, after: lastEventId === null ? read.value.after : readVersion(lastEventId) });
}

/** The tenant of one approval; undefined: the principal's own. */
export function readTenantQuery(
  request: Pick<Request, "url">,
  who: AuthenticatedPrincipal,
): Result<NamedTenant, Problem> {
  const read = readParams(request, { tenant: text });
  if (!read.ok || read.value.tenant === undefined) return read.ok ? ok(undefined) : read;
  return tenantOf({ scope: "tenant", tenant: read.value.tenant }, who);
}

function tenantOf(
  { scope, tenant }: { readonly scope?: "own" | "tenant"; readonly tenant?: string },
  who: AuthenticatedPrincipal,
): Result<NamedTenant, Problem> {
  if (scope !== "tenant") {
    if (tenant === undefined) return ok(undefined);
    return err(badRequest("tenant", "`tenant` is for `scope=tenant`: send that too, or leave it out"));
  }
  if (tenant !== undefined && !isName(tenant))
    return err(badRequest("tenant", `a tenant's name must have ${NAME_RULE}`));
  const problem = requireAdminOf(who, tenant ?? who.tenant);
  return problem ? err(problem) : ok(tenant ?? who.tenant);
}

function readVersion(value: string): number | undefined {
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
