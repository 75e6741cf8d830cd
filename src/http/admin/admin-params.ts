/** What the paths and queries of `/admin` are read into. Pure. */
import { isName, NAME_RULE } from "../../lib/names.ts";
import { ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";
import { flag, limit, readParams, text } from "../query-params.ts";

/** Tenants name objects and keys in KV. */
export function checkTenant(tenant: string): Problem | undefined {
  return isName(tenant) ? undefined : badRequest("tenant", `a tenant's name must have ${NAME_RULE}`);
}

export function readDryRun(params: URLSearchParams): Result<boolean, Problem> {
  const read = readParams(params, { dry_run: flag });
  return read.ok ? ok(read.value.dry_run ?? false) : read;
}

export interface ListQuery {
  readonly limit: number;
  readonly after: string | undefined;
}

export function readListQuery(params: URLSearchParams): Result<ListQuery, Problem> {
  const read = readParams(params, { limit, after: text });
  return read.ok ? ok({ limit: read.value.limit ?? 20, after: read.value.after }) : read;
}
