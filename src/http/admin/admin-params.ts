/** What the paths and queries of `/admin` are read into. Pure. */

import { isName, NAME_RULE } from "../../lib/names.ts";
import { ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";
import { flag, type HasUrl, readParams } from "../query-params.ts";

/** Tenants name objects and keys in KV. */
export function checkTenant(tenant: string): Problem | undefined {
  return isName(tenant) ? undefined : badRequest("tenant", `a tenant's name must have ${NAME_RULE}`);
}

export function readDryRun(request: HasUrl): Result<boolean, Problem> {
  const read = readParams(request, { dry_run: flag });
  return read.ok ? ok(read.value.dry_run ?? false) : read;
}
