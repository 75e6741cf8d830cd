/** What the paths and queries of `/admin` are read into. Pure. Nothing is passed over: `dry_rnu=true` must not write. */
import { err, ok, type Result } from "../lib/result.ts";
import { badRequest, type Problem } from "./problem.ts";

/** Printable, and short enough: tenants name objects and keys in KV. */
export function checkTenant(tenant: string): Problem | undefined {
  if (tenant.length <= 128 && /^\P{C}+$/u.test(tenant)) return undefined;
  return badRequest("tenant", "a tenant's name has 1 to 128 printable characters");
}

export function readDryRun(params: URLSearchParams): Result<boolean, Problem> {
  const read = readKnown(params, ["dry_run"]);
  if (!read.ok) return read;
  const value = read.value.get("dry_run") ?? "false";
  if (value === "true" || value === "false") return ok(value === "true");
  return err(badRequest("dry_run", "`dry_run` must be `true` or `false`"));
}

export interface ListQuery {
  readonly limit: number;
  readonly after: string | undefined;
}

export function readListQuery(params: URLSearchParams): Result<ListQuery, Problem> {
  const read = readKnown(params, ["limit", "after"]);
  if (!read.ok) return read;
  const limit = read.value.get("limit") ?? "20";
  if (!/^([1-9][0-9]?|100)$/.test(limit))
    return err(badRequest("limit", "`limit` must be a whole number from 1 to 100"));
  return ok({ limit: Number(limit), after: read.value.get("after") });
}

function readKnown(params: URLSearchParams, known: readonly string[]): Result<ReadonlyMap<string, string>, Problem> {
  const values = new Map<string, string>();
  for (const [name, value] of params) {
    if (!known.includes(name)) {
      const message = `unknown parameter \`${name.slice(0, 64)}\`; accepted are ${known.join(", ")}`;
      return err(badRequest(name.slice(0, 64), message, "unknown_parameter"));
    }
    if (values.has(name)) return err(badRequest(name, `\`${name}\` is given twice; give it once`));
    values.set(name, value);
  }
  return ok(values);
}
